import { AgentError, type MergeResult, type TokenSegment, type TurnOutcome } from '@turnwright/contracts';
import { trainableTokens } from './segment-row.js';
import { sliceSegment } from './slice-segment.js';

/**
 * How a row that is too long is made to fit: `front` drops whole calls from its front; `split` makes several rows of whole calls, which
 * between them train every call that fits at all.
 */
export type TrimMode = 'front' | 'split';

export interface TrimOptions {
  /** Most tokens of a row, prompt and response together. */
  readonly maxTokens: number;
  readonly mode: TrimMode;
}

/** Why a token of a row that was too long is not trained. */
const OVER_CONTEXT = 'over-context';

/**
 * Rows of at most `maxTokens` tokens, with what that cost in the outcomes (`over-context`).
 *
 * Rows are cut between calls, never inside what a call sampled, and no token is trained without the prompt just before it. Where one call
 * alone is too long its prompt loses its front; where its output alone is, or fills the row, the call is given up.
 * throws AgentError `bad-option`
 */
export function trimSegments(result: MergeResult, { maxTokens, mode }: TrimOptions): MergeResult {
  if (!Number.isInteger(maxTokens) || maxTokens < 2) throw new AgentError('bad-option', `The maximum context is ${String(maxTokens)} tokens; expected a whole number from 2.`, { fields: { maxTokens } });
  if (result.segments.every((segment) => lengthOf(segment) <= maxTokens)) return result;
  const segments = result.segments.flatMap((segment) => (lengthOf(segment) <= maxTokens ? [segment] : windowsOf(segment, maxTokens, mode).map((window) => cut(segment, window, maxTokens))));
  return { segments, outcomes: outcomesOf(result.outcomes, segments) };
}

function lengthOf({ promptIds, responseIds }: TokenSegment): number {
  return promptIds.length + responseIds.length;
}

/** Turns `[context, end)` of a row stand in a window, those from `trained` on are trained. */
interface Window {
  readonly context: number;
  readonly trained: number;
  readonly end: number;
}

function windowsOf(segment: TokenSegment, maxTokens: number, mode: TrimMode): Window[] {
  const count = segment.turns.length;
  if (mode === 'front') {
    const first = contextStart(segment, count - 1, count, maxTokens);
    return [{ context: first, trained: first, end: count }];
  }
  const windows: Window[] = [];
  for (let start = 0; start < count; ) {
    // Later windows keep half of their room for context.
    const room = start === 0 ? maxTokens : maxTokens >> 1;
    let end = start + 1;
    while (end < count && extent(segment, start, end + 1) <= room) end++;
    windows.push({ context: contextStart(segment, start, end, maxTokens), trained: start, end });
    start = end;
  }
  return windows;
}

/** The first turn from which on the turns up to `end` fit. */
function contextStart(segment: TokenSegment, latest: number, end: number, maxTokens: number): number {
  let start = latest;
  while (start > 0 && extent(segment, start - 1, end) <= maxTokens) start--;
  return start;
}

/** Tokens of the turns `[start, end)` with their own prompts. */
function extent(segment: TokenSegment, start: number, end: number): number {
  return outputEnd(segment, end - 1) - ownStart(segment, start);
}

/** Where the tokens of a turn begin: behind the output before it. Into the response; before it for the first turn. */
function ownStart(segment: TokenSegment, turn: number): number {
  return turn === 0 ? -segment.promptIds.length : outputEnd(segment, turn - 1);
}

function outputEnd(segment: TokenSegment, turn: number): number {
  return segment.turns[turn]?.outputSpan.end ?? 0;
}

function cut(segment: TokenSegment, { context, trained, end }: Window, maxTokens: number): TokenSegment {
  const until = outputEnd(segment, end - 1);
  const start = Math.max(ownStart(segment, context), until - maxTokens);
  return sliceSegment(segment, { start, until, firstTurn: context, firstTrained: trained, endTurn: end });
}

/** From what the rows train now, so that the ledger balances whatever was cut. */
function outcomesOf(outcomes: readonly TurnOutcome[], segments: readonly TokenSegment[]): TurnOutcome[] {
  const rows = new Map<string, { indices: number[]; trained: number }>();
  for (const [index, { turns, lossMask }] of segments.entries()) {
    for (const { id, trained, outputSpan } of turns) {
      const row = rows.get(id) ?? { indices: [], trained: 0 };
      rows.set(id, row);
      row.indices.push(index);
      if (trained) row.trained += trainableTokens(lossMask.subarray(outputSpan.start, outputSpan.end));
    }
  }
  return outcomes.map((outcome) => {
    const { indices, trained } = rows.get(outcome.id) ?? { indices: [], trained: 0 };
    const lost = outcome.trainedTokens - trained;
    return { ...outcome, trainedTokens: trained, segmentIndices: indices, excluded: lost === 0 ? outcome.excluded : [...outcome.excluded, { reason: OVER_CONTEXT, count: lost }] };
  });
}
