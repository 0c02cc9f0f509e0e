import type { Value } from '../python/values.js';
import type { Expression } from './nodes.js';

/** What a loop walks. */
export interface LoopItems {
  readonly length: number;
  /** Asked for places from 0 on only. */
  at(index: number): Value | undefined;
}

/** A list from its end, without a copy of it. */
export class Backwards implements LoopItems {
  readonly length: number;

  constructor(readonly list: readonly Value[]) {
    this.length = list.length;
  }

  at(index: number): Value | undefined {
    return this.list[this.length - 1 - index];
  }
}

/** The name in `name[::-1]` or `name | reverse`: if it is a list's, a loop can walk that. */
export function reversedList(items: Expression): Expression | undefined {
  if (items.kind === 'filter') return items.name === 'reverse' && items.operand.kind === 'name' ? items.operand : undefined;
  if (items.kind !== 'slice' || items.object.kind !== 'name' || items.start !== undefined || items.stop !== undefined) return undefined;
  const { step } = items;
  return step?.kind === 'sign' && step.sign === '-' && step.operand.kind === 'constant' && step.operand.value === 1 ? items.object : undefined;
}
