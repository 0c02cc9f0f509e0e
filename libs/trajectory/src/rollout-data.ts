import { AgentError, type RoutedExperts, type TopPCandidates } from '@turnwright/contracts';
import type { RowTurn } from './segment-row.js';

/**
 * The experts of a row of `length` tokens: each turn's where it stands, zeros where nobody said.
 *
 * Later turns come last: a turn's first row is of the token before its tail, which only it fed back.
 * throws AgentError `length-mismatch` for turns whose experts have different shapes
 */
export function rowExperts(turns: readonly RowTurn[], length: number): RoutedExperts | undefined {
  let row: RoutedExperts | undefined;
  for (const { placed } of turns) {
    const own = placed.turn.routedExperts;
    if (own === undefined) continue;
    row ??= { start: 0, layers: own.layers, topK: own.topK, data: new Int16Array(length * own.layers * own.topK) };
    if (own.layers !== row.layers || own.topK !== row.topK) {
      throw new AgentError('length-mismatch', `Turn "${placed.turn.id}" has routed experts of ${String(own.layers)} × ${String(own.topK)}; expected ${String(row.layers)} × ${String(row.topK)}, as before it.`, { fields: { turn: placed.turn.id } });
    }
    const rowSize = own.layers * own.topK;
    row.data.set(own.data.subarray(0, (length - own.start) * rowSize), own.start * rowSize);
  }
  return row;
}

/** The candidates of a row's response: each output's where it stands, nothing for context. */
export function rowTopP(turns: readonly RowTurn[], promptLength: number, length: number): TopPCandidates | undefined {
  if (turns.every(({ placed }) => placed.turn.topP === undefined)) return undefined;
  const offsets = new Int32Array(length + 1);
  const parts: Int32Array[] = [];
  let [total, at] = [0, 0];
  for (const { placed } of turns) {
    const { topP, outputIds } = placed.turn;
    if (topP === undefined) continue;
    const start = placed.prompt.length - promptLength;
    offsets.fill(total, at, start);
    for (let i = 0; i < outputIds.length; i++) offsets[start + i] = total + (topP.offsets[i] ?? 0);
    total += topP.tokenIds.length;
    at = start + outputIds.length;
    parts.push(topP.tokenIds);
  }
  offsets.fill(total, at);
  const tokenIds = new Int32Array(total);
  let end = 0;
  for (const part of parts) {
    tokenIds.set(part, end);
    end += part.length;
  }
  return { offsets, tokenIds };
}
