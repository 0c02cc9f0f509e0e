import type { TurnRecord } from '@turnwright/contracts';

/** Tokens of the output that the model sampled: all but those that the chat template wrote. */
export function sampledTokens(turn: TurnRecord): number {
  let count = turn.outputIds.length;
  for (const { span, kind } of turn.spans ?? []) if (kind === 'template') count -= span.end - span.start;
  return count;
}

/** Sampled tokens that stand as excluded before any merge. */
export function excludedTokens(turn: TurnRecord): number {
  return (turn.exclusions ?? []).reduce((sum, { count }) => sum + count, 0);
}
