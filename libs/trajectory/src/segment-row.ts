import { assert, type TokenSegment, type TokenSpan } from '@turnwright/contracts';
import { idsOf, type PlacedTurn } from './turn-tapes.js';

/** A turn in a row. */
export interface RowTurn {
  readonly placed: PlacedTurn;
  /** False where an earlier row trains the turn. */
  readonly trained: boolean;
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
  const outputs: { id: string; trained: boolean; outputSpan: { start: number; end: number } }[] = [];
  for (const { placed, trained } of turns) {
    const start = placed.prompt.length - promptLength;
    outputs.push({ id: placed.turn.id, trained, outputSpan: { start, end: placed.end.length - promptLength } });
    for (const { span, kind, callId } of placed.turn.spans ?? []) spans.push({ span: { start: span.start + start, end: span.end + start }, kind, callId });
    if (!trained) continue;
    lossMask.set(placed.turn.outputLossMask, start);
    if (logprobs !== undefined) setTrainedLogprobs(placed, logprobs, start);
  }
  return {
    promptIds: ids.subarray(0, promptLength),
    responseIds: ids.subarray(promptLength),
    lossMask,
    ...(logprobs === undefined ? {} : { logprobs }),
    turns: outputs,
    spans,
    finishReason: last.placed.turn.finishReason,
  };
}

function setTrainedLogprobs({ turn }: PlacedTurn, logprobs: Float32Array, start: number): void {
  const { outputLogprobs, outputLossMask } = turn;
  if (outputLogprobs === undefined) return;
  for (let i = 0; i < outputLogprobs.length; i++) {
    if (outputLossMask[i] !== 0) logprobs[start + i] = outputLogprobs[i] ?? 0;
  }
}

/** Tokens of the turn's output that may be trained. */
export function trainableTokens(mask: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) count++;
  return count;
}
