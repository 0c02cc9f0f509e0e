import { AgentError } from '@turnwright/contracts';
import type { ArrayPool } from './array-pool.js';

/** Copies `ids` from `start` on to `target`. throws AgentError `bad-contract`, naming the token */
export function copyTokenIds(ids: ArrayLike<number>, start: number, target: Int32Array, targetStart: number, vocabularySize: number, turn: string, where: string): void {
  const limit = vocabularySize - 1;
  if (ids instanceof Int32Array) return copyTyped(ids, start, target, targetStart, limit, turn, where);
  for (let i = start; i < ids.length; i++) {
    const id = ids[i] ?? -1;
    const at = targetStart + i - start;
    target[at] = id;
    if (target[at] !== id || id < 0 || id > limit) throw badToken(turn, where, i, id, limit);
  }
}

/** The signs of every id and of its distance to the limit are gathered, so that the loop has no branch. */
function copyTyped(ids: Int32Array, start: number, target: Int32Array, targetStart: number, limit: number, turn: string, where: string): void {
  let signs = 0;
  for (let i = start, at = targetStart; i < ids.length; i++, at++) {
    const id = ids[i] ?? -1;
    target[at] = id;
    signs |= id | (limit - id);
  }
  if (signs >= 0) return;
  const bad = ids.findIndex((id, i) => i >= start && (id < 0 || id > limit));
  throw badToken(turn, where, bad, ids[bad] ?? -1, limit);
}

function badToken(turn: string, where: string, index: number, id: number, limit: number): AgentError {
  return badValue(turn, `${where} token ${String(index)} is ${String(id)}; expected an integer from 0 to ${String(limit)}`);
}

/** Copies a mask to `target`, or ones where there is none. throws AgentError `length-mismatch`, `bad-contract` */
export function copyMask(mask: ArrayLike<number> | undefined, target: Uint8Array, start: number, length: number, turn: string): void {
  if (mask === undefined) {
    target.fill(1, start, start + length);
    return;
  }
  requireLength(mask.length, length, turn, 'loss mask');
  for (let i = 0; i < length; i++) {
    const bit = mask[i];
    if (bit !== 0 && bit !== 1) throw badValue(turn, `loss mask ${String(i)} is ${String(bit)}; expected 0 or 1`);
    target[start + i] = bit;
  }
}

/** A view of a copy in the pool. throws AgentError `length-mismatch`, `bad-contract` for NaN or an infinity */
export function copyFinite(values: ArrayLike<number>, pool: ArrayPool<Float32Array>, length: number, turn: string): Float32Array {
  requireLength(values.length, length, turn, 'log-probs');
  const start = pool.reserve(length);
  const copy = new Float32Array(pool.array.buffer, start * 4, length);
  if (values instanceof Float32Array) copy.set(values);
  else for (let i = 0; i < length; i++) copy[i] = values[i] ?? NaN;
  requireFinite(copy, turn);
  return copy;
}

/** throws AgentError `bad-contract` */
export function requireFinite(values: Float32Array, turn: string): void {
  for (let i = 0; i < values.length; i++) {
    // A difference with itself is 0 for every finite number, and NaN for the rest.
    const value = values[i] ?? NaN;
    if (value - value !== 0) throw badValue(turn, `log-prob ${String(i)} is ${String(value)}; expected a finite number`);
  }
}

/** throws AgentError `length-mismatch` */
export function requireLength(found: number, expected: number, turn: string, what: string, rule = 'one for each output token'): void {
  if (found !== expected) throw new AgentError('length-mismatch', `Turn "${turn}": the ${what} has ${String(found)} entries; expected ${String(expected)}, ${rule}.`, { fields: { turn, found, expected } });
}

function badValue(turn: string, message: string): AgentError {
  return new AgentError('bad-contract', `Turn "${turn}": ${message}.`, { fields: { turn } });
}
