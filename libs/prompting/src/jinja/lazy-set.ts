import { isList, type Value } from '../python/values.js';
import type { Evaluate, Frame } from './frame.js';
import type { Expression } from './nodes.js';

/** A value that is calculated when it is first asked for; only in slots of a loop's body, and never seen by a template. */
export class Lazy {
  constructor(private readonly evaluate: Evaluate, private readonly frame: Frame) {}

  force(): Value {
    return this.evaluate(this.frame);
  }
}

/**
 * Whether an expression counts with the loop's place only and cannot fail, so that it need not be calculated where nothing asks.
 *
 * Qwen3's template numbers every message that it passes, and uses the number of one.
 */
export function countsOnly(node: Expression): boolean {
  switch (node.kind) {
    case 'constant': return typeof node.value === 'number';
    case 'binary': return node.operator !== '/' && node.operator !== '//' && node.operator !== '%' && node.operator !== '**' && countsOnly(node.left) && countsOnly(node.right);
    case 'attribute': return node.object.kind === 'name' && node.object.name === 'loop' && COUNTERS.has(node.name);
    case 'filter': return node.name === 'length' && node.operand.kind === 'name' && node.args.positional.length + node.args.named.length === 0;
    default: return false;
  }
}

const COUNTERS: ReadonlySet<string> = new Set(['index', 'index0', 'revindex', 'revindex0', 'length']);

/** The names whose length an expression asks for: they must be lists when the value is put off. */
export function countedNames(node: Expression): readonly string[] {
  if (node.kind === 'binary') return [...countedNames(node.left), ...countedNames(node.right)];
  return node.kind === 'filter' && node.operand.kind === 'name' ? [node.operand.name] : [];
}

export function allLists(values: readonly Evaluate[], frame: Frame): boolean {
  return values.every((value) => isList(value(frame)));
}
