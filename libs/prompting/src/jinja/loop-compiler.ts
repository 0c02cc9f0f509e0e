import { iterate } from '../python/iterate.js';
import { spend } from '../python/meter.js';
import { truthy } from '../python/types.js';
import { Callable, isList, type Value } from '../python/values.js';
import { Backwards, reversedList, type LoopItems } from './backwards.js';
import { compileExpression } from './expression-compiler.js';
import { Frame, type Execute } from './frame.js';
import { captured } from './function-compiler.js';
import { Loop } from './loop.js';
import { canMemoise, definesFunctions, memoised, resume, scanned, writes } from './memoised-turn.js';
import type { Body, Statement } from './nodes.js';
import { Scope, targetNames } from './scope.js';
import { compileTarget } from './target-compiler.js';

/** What a loop counts, and each of its turns. */
const [LOOP_STEPS, TURN_STEPS] = [8, 2];

type ForStatement = Extract<Statement, { readonly kind: 'for' }>;

export function compileFor(node: ForStatement, scope: Scope, compileBody: (body: Body, scope: Scope) => Execute): Execute {
  const items = compileExpression(node.items, scope);
  const reversed = scope.isOutermost && !node.recursive && node.filter === undefined && !writes(node.body) && !definesFunctions(node.body) ? reversedList(node.items) : undefined;
  const [backwards, list] = [reversed !== undefined, reversed === undefined ? undefined : compileExpression(reversed, scope)];
  const inner = new Scope(scope, node.body, { names: [...targetNames(node.target), 'loop'], puttingOff: backwards });
  const [assign, loopSlot] = [compileTarget(node.target, inner), inner.declare('loop')];
  const keeps = node.filter === undefined ? undefined : compileExpression(node.filter, inner);
  const body = compileBody(node.body, inner);
  const elseScope = new Scope(scope, node.otherwise);
  const otherwise = compileBody(node.otherwise, elseScope);
  const memoises = scope.isOutermost && !node.recursive && !backwards && writes(node.body);
  const iteration = (outer: Frame, item: Value): Frame => {
    const frame = new Frame(outer.run, outer, inner.size);
    assign(frame, item);
    return frame;
  };
  const keepsFrames = definesFunctions(node.body);
  const walk = (frame: Frame, value: Value | Backwards, depth: number): void => {
    spend(LOOP_STEPS);
    const all = value instanceof Backwards ? value : iterate(value);
    const kept: LoopItems = keeps === undefined || all instanceof Backwards ? all : all.filter((item) => truthy(keeps(iteration(frame, item))));
    const loop: Loop = new Loop(kept, depth, node.recursive ? (more) => captured(frame.run, () => walk(frame, more, depth + 1)) : undefined);
    const memoise = memoises && canMemoise(frame.run);
    const scan = kept instanceof Backwards && canMemoise(frame.run) ? frame.run.memo?.scanOf(node).begin(kept.list) : undefined;
    let each: Frame | undefined;
    for (let index = memoise ? resume(frame.run, node, kept as readonly Value[]) : 0; index < kept.length; index++) {
      spend(TURN_STEPS);
      if (scan !== undefined) index = scan.next(index, frame);
      if (index >= kept.length) break;
      loop.index = index;
      if (each === undefined || keepsFrames) each = iteration(frame, kept.at(index) as Value);
      else assign(each.cleared(), kept.at(index) as Value);
      each.slots[loopSlot] = node.recursive ? recursiveLoop(loop) : loop;
      if ((memoise ? memoised(node, body, each, loop) : scan === undefined ? body(each) : scanned(scan, body, each, loop)) === 'break') break;
    }
    if (kept.length === 0) otherwise(new Frame(frame.run, frame, elseScope.size));
  };
  return (frame) => {
    frame.run.offset = node.offset;
    const walked = list?.(frame);
    walk(frame, walked !== undefined && isList(walked) ? new Backwards(walked) : items(frame), 0);
    return 'next';
  };
}

/** `loop` that can be called too. */
function recursiveLoop(loop: Loop): Value {
  return Object.assign(new Callable('loop', ([items = null]) => loop.again(items)), { typeName: loop.typeName, attribute: (name: string) => loop.attribute(name) });
}
