import { assert, type TokenSegment, type TokenSpan } from '@turnwright/contracts';
import { rowExperts, rowTopP } from './rollout-data.js';
import { idsOf, type PlacedTurn } from './turn-tapes.js';

/** A turn in a row. */
export interface RowTurn {
  readonly placed: PlacedTurn;
  /** False where an earlier row trains the turn. */
  readonly trained: boolean;
  /** The row holds another token where the output ended. */
  readonly substitutedEnd: boolean;
}

/**
 * The row of turns whose outputs stand in the last one's prompt ++ output, of which the first `promptLength` tokens are the row's prompt.
 *
 * The ids are there already, so nothing is joined here; only masks, log-probs and spans are laid over them.
 */
export function segmentOf(promptLength: number, turns: readonly RowTurn[]): TokenSegment {
  const last = turns.at(-1);
  assert(last !== undefined, 'expected a row to hold a turn');
  const ids = idsOf(last.placed.end);
  const length = ids.length - promptLength;
  const lossMask = new Uint8Array(length);
  const logprobs = turns.some(({ placed }) => placed.turn.outputLogprobs !== undefined) ? new Float32Array(length) : undefined;
  const spans: TokenSpan[] = [];
  const outputs: TokenSegment['turns'][number][] = [];
  for (const rowTurn of turns) {
    const { placed, trained } = rowTurn;
    const { turn } = placed;
    const [start, end] = [placed.prompt.length - promptLength, placed.end.length - promptLength];
    const outputSpan = { start, end };
    outputs.push(turn.weightVersion === undefined ? { id: turn.id, trained, outputSpan } : { id: turn.id, trained, outputSpan, weightVersion: turn.weightVersion });
    if (turn.spans !== undefined) addSpans(rowTurn, start, spans);
    if (!trained) continue;
    lossMask.set(turn.outputLossMask, start);
    if (rowTurn.substitutedEnd) lossMask[end - 1] = 0;
    if (logprobs !== undefined) setTrainedLogprobs(placed, lossMask, logprobs, start);
  }
  const routedExperts = rowExperts(turns, ids.length);
  const topP = rowTopP(turns, promptLength, length);
  return {
    promptIds: ids.subarray(0, promptLength),
    responseIds: ids.subarray(promptLength),
    lossMask,
    ...(logprobs === undefined ? {} : { logprobs }),
    turns: outputs,
    spans,
    finishReason: last.placed.turn.finishReason,
    ...(routedExperts === undefined ? {} : { routedExperts }),
    ...(topP === undefined ? {} : { topP }),
  };
}

function addSpans({ placed, substitutedEnd }: RowTurn, start: number, spans: TokenSpan[]): void {
  const { spans: own = [], outputIds } = placed.turn;
  for (const { span, kind, callId } of own) {
    const cut = substitutedEnd && span.end === outputIds.length ? span.end - 1 : span.end;
    if (cut > span.start) spans.push({ span: { start: span.start + start, end: cut + start }, kind, callId });
    if (cut < span.end) spans.push({ span: { start: cut + start, end: span.end + start }, kind: 'template', callId });
  }
}

function setTrainedLogprobs({ turn }: PlacedTurn, lossMask: Uint8Array, logprobs: Float32Array, start: number): void {
  const { outputLogprobs } = turn;
  if (outputLogprobs === undefined) return;
  for (let i = 0; i < outputLogprobs.length; i++) {
    if (lossMask[start + i] !== 0) logprobs[start + i] = outputLogprobs[i] ?? 0;
  }
}

/** Tokens of the turn's output that may be trained. */
export function trainableTokens(mask: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) count++;
  return count;
}
