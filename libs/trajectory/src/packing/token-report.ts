import type { TurnRecord } from '@turnwright/contracts';
import type { FlatRow, TokenTree } from './pack-segments.js';

/** How many tokens a trainer computes for a session, by the way in which it is given. */
export interface TokenReport {
  /** Every call a row of its own: the sum of prompts and outputs. */
  readonly separateTokens: number;
  /** The segments as rows. */
  readonly flatTokens: number;
  /** The segments as a tree. */
  readonly treeTokens: number;
  /** separate / flat, and separate / tree */
  readonly flatRatio: number;
  readonly treeRatio: number;
  /**
   * What a session without branches or drift comes to: T calls on a first prompt of P tokens, each of which adds d.
   *
   * Separate: T*P + d*T(T+1)/2. Joined: P + T*d.
   */
  readonly theory: { readonly calls: number; readonly firstPrompt: number; readonly growth: number; readonly separateTokens: number; readonly joinedTokens: number; readonly ratio: number };
}

/** order  `turns` as they were merged, the first one first */
export function tokenReport(turns: readonly TurnRecord[], segments: readonly FlatRow[], tree: TokenTree): TokenReport {
  const lengths = turns.map((turn) => turn.keptPrefix + turn.promptTail.length + turn.outputIds.length);
  const separateTokens = sum(lengths);
  const flatTokens = sum(segments.map(({ promptIds, responseIds }) => promptIds.length + responseIds.length));
  const treeTokens = tree.ids.length;
  const first = turns[0];
  const firstPrompt = first === undefined ? 0 : first.keptPrefix + first.promptTail.length;
  const calls = turns.length;
  const growth = calls === 0 ? 0 : (lengths.reduce((most, length) => Math.max(most, length), 0) - firstPrompt) / calls;
  const theory = { calls, firstPrompt, growth, separateTokens: calls * firstPrompt + (growth * calls * (calls + 1)) / 2, joinedTokens: firstPrompt + calls * growth };
  return { separateTokens, flatTokens, treeTokens, flatRatio: ratio(separateTokens, flatTokens), treeRatio: ratio(separateTokens, treeTokens), theory: { ...theory, ratio: ratio(theory.separateTokens, theory.joinedTokens) } };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function ratio(a: number, b: number): number {
  return b === 0 ? 1 : a / b;
}
