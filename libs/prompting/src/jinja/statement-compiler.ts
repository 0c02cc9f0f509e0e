import { toStr } from '../python/print.js';
import { truthy } from '../python/types.js';
import { Callable, typeError, Undefined, type Str } from '../python/values.js';
import { compileArguments } from './arguments.js';
import { compileExpression, compileFilter } from './expression-compiler.js';
import { Frame, type Evaluate, type Execute } from './frame.js';
import { captured, compileFunction } from './function-compiler.js';
import { allLists, countedNames, countsOnly, Lazy } from './lazy-set.js';
import { compileFor } from './loop-compiler.js';
import type { BlockFilter, Body, Statement } from './nodes.js';
import { Scope, targetNames } from './scope.js';
import { compileTarget } from './target-compiler.js';

type Of<Kind extends Statement['kind']> = Extract<Statement, { readonly kind: Kind }>;

/** A closure that runs statements in a frame of the scope. */
export function compileBody(body: Body, scope: Scope): Execute {
  const steps = body.map((statement) => compileStatement(statement, scope));
  const [only] = steps;
  if (only === undefined) return () => 'next';
  if (steps.length === 1) return only;
  return (frame) => {
    for (const step of steps) {
      const signal = step(frame);
      if (signal !== 'next') return signal;
    }
    return 'next';
  };
}

function compileStatement(node: Statement, scope: Scope): Execute {
  switch (node.kind) {
    case 'text': return compileText(node);
    case 'output': return compileOutput(node, scope);
    case 'if': return compileIf(node, scope);
    case 'for': return compileFor(node, scope, compileBody);
    case 'set': return compileSet(node, scope);
    case 'set-block': return compileSetBlock(node, scope);
    case 'filter-block': return compileFilterBlock(node, scope);
    case 'macro': return compileMacro(node, scope);
    case 'call-block': return compileCallBlock(node, scope);
    case 'with': return compileWith(node, scope);
    case 'generation': return compileGeneration(node, scope);
    case 'break': case 'continue': { const { kind } = node; return () => kind; }
  }
}

function compileText({ text }: Of<'text'>): Execute {
  return ({ run }) => {
    run.out.add(text);
    return 'next';
  };
}

function compileOutput({ value, offset }: Of<'output'>, scope: Scope): Execute {
  const evaluate = compileExpression(value, scope);
  return (frame) => {
    const { run } = frame;
    run.offset = offset;
    run.out.add(toStr(evaluate(frame)));
    return 'next';
  };
}

function compileIf({ branches, otherwise, offset }: Of<'if'>, scope: Scope): Execute {
  const compiled = branches.map(({ test, body }) => [compileExpression(test, scope), compileBody(body, scope)] as const);
  const last = compileBody(otherwise, scope);
  return (frame) => {
    for (const [test, body] of compiled) {
      frame.run.offset = offset;
      if (truthy(test(frame))) return body(frame);
    }
    return last(frame);
  };
}

function compileSet({ target, value, offset }: Of<'set'>, scope: Scope): Execute {
  const [assign, evaluate] = [compileTarget(target, scope), compileExpression(value, scope)];
  if (scope.puttingOff && target.kind === 'name' && countsOnly(value)) {
    const slot = scope.declare(target.name);
    const counted = countedNames(value).map((name) => compileExpression({ kind: 'name', name, offset }, scope));
    return (frame) => {
      // Whether they are lists is no part of what a turn looks at: their lengths are, once they are asked for.
      const { run } = frame;
      const { tracer } = run;
      run.tracer = undefined;
      const safe = allLists(counted, frame);
      run.tracer = tracer;
      frame.slots[slot] = safe ? new Lazy(evaluate, frame) : evaluate(frame);
      return 'next';
    };
  }
  return (frame) => {
    frame.run.offset = offset;
    assign(frame, evaluate(frame));
    return 'next';
  };
}

/** A body in a scope of its own, as the text that it writes. */
function compileCapture(body: Body, scope: Scope): (frame: Frame) => Str {
  const inner = new Scope(scope, body);
  const execute = compileBody(body, inner);
  return (frame) => captured(frame.run, () => execute(new Frame(frame.run, frame, inner.size)));
}

function compileSetBlock({ target, filters, body, offset }: Of<'set-block'>, scope: Scope): Execute {
  const [assign, text] = [compileTarget(target, scope), filtered(filters, compileCapture(body, scope), scope)];
  return (frame) => {
    frame.run.offset = offset;
    assign(frame, text(frame));
    return 'next';
  };
}

function compileFilterBlock({ filters, body, offset }: Of<'filter-block'>, scope: Scope): Execute {
  const text = filtered(filters, compileCapture(body, scope), scope);
  return (frame) => {
    frame.run.offset = offset;
    frame.run.out.add(toStr(text(frame)));
    return 'next';
  };
}

function filtered(filters: readonly BlockFilter[], text: Evaluate, scope: Scope): Evaluate {
  return filters.reduce((operand, filter) => compileFilter(filter, operand, scope), text);
}

function compileMacro({ name, parameters, body }: Of<'macro'>, scope: Scope): Execute {
  const slot = scope.declare(name);
  const make = compileFunction({ name, parameters, body }, scope, compileBody);
  return (frame) => {
    frame.slots[slot] = make(frame);
    return 'next';
  };
}

function compileCallBlock({ call, parameters, body, offset }: Of<'call-block'>, scope: Scope): Execute {
  if (call.kind !== 'call') throw new Error('expected a call');
  const make = compileFunction({ name: 'caller', parameters, body }, scope, compileBody);
  const callee = compileExpression(call.callee, scope);
  const given = compileArguments(call.args, (inner) => compileExpression(inner, scope));
  return (frame) => {
    frame.run.offset = offset;
    const called = callee(frame);
    if (called instanceof Undefined) called.raise();
    if (!(called instanceof Callable)) throw typeError('the called value is not callable');
    const { args, keywords } = given(frame);
    frame.run.out.add(toStr(called.call(args, new Map([...keywords, ['caller', make(frame)]]))));
    return 'next';
  };
}

function compileWith({ assignments, body, offset }: Of<'with'>, scope: Scope): Execute {
  const inner = new Scope(scope, body, { names: assignments.flatMap(({ target }) => targetNames(target)) });
  const compiled = assignments.map(({ target, value }) => [compileTarget(target, inner), compileExpression(value, scope)] as const);
  const execute = compileBody(body, inner);
  return (frame) => {
    frame.run.offset = offset;
    const values = compiled.map(([, value]) => value(frame));
    const own = new Frame(frame.run, frame, inner.size);
    for (const [index, [assign]] of compiled.entries()) assign(own, values[index] ?? null);
    return execute(own);
  };
}

/** transformers' extension: what is written here was generated; its own scope, as a call block has. */
function compileGeneration({ body }: Of<'generation'>, scope: Scope): Execute {
  const text = compileCapture(body, scope);
  return (frame) => {
    const { run } = frame;
    const written = text(frame);
    run.generated(written);
    run.out.add(written);
    return 'next';
  };
}
