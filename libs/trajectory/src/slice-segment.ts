import type { RoutedExperts, TokenSegment, TopPCandidates } from '@turnwright/contracts';

export interface SegmentSlice {
  /** tokens, into the response; negative ones lie in the prompt */
  readonly start: number;
  readonly until: number;
  /** Of the turns `[firstTurn, endTurn)`, those from `firstTrained` on keep their loss. */
  readonly firstTurn: number;
  readonly firstTrained: number;
  readonly endTurn: number;
}

/** A part of a row as a row: what stands before the first whole output is its prompt. */
export function sliceSegment(segment: TokenSegment, { start, until, firstTurn, firstTrained, endTurn }: SegmentSlice): TokenSegment {
  // An output that begins before the slice does is not whole, and an output without a token before it has no prompt.
  const turns = segment.turns.slice(firstTurn, endTurn).filter(({ outputSpan }) => outputSpan.start > start);
  const promptEnd = turns[0]?.outputSpan.start ?? until;
  const ids = new Int32Array(segment.promptIds.length + segment.responseIds.length);
  ids.set(segment.promptIds);
  ids.set(segment.responseIds, segment.promptIds.length);
  const at = (position: number) => position + segment.promptIds.length;
  const lossMask = segment.lossMask.slice(promptEnd, until);
  const logprobs = segment.logprobs?.slice(promptEnd, until);
  const firstTrainedStart = segment.turns[firstTrained]?.outputSpan.start ?? until;
  const context = Math.max(firstTrainedStart - promptEnd, 0);
  lossMask.fill(0, 0, context);
  logprobs?.fill(0, 0, context);
  return {
    promptIds: ids.slice(at(start), at(promptEnd)),
    responseIds: ids.slice(at(promptEnd), at(until)),
    lossMask,
    ...(logprobs === undefined ? {} : { logprobs }),
    turns: turns.map((turn) => ({ ...turn, trained: turn.trained && turn.outputSpan.start >= firstTrainedStart, outputSpan: { start: turn.outputSpan.start - promptEnd, end: turn.outputSpan.end - promptEnd } })),
    spans: segment.spans.filter(({ span }) => span.start >= promptEnd && span.end <= until).map((entry) => ({ ...entry, span: { start: entry.span.start - promptEnd, end: entry.span.end - promptEnd } })),
    finishReason: segment.finishReason,
    ...(segment.routedExperts === undefined ? {} : { routedExperts: sliceExperts(segment.routedExperts, at(start), at(until)) }),
    ...(segment.topP === undefined ? {} : { topP: sliceTopP(segment.topP, promptEnd, until) }),
  };
}

function sliceExperts({ layers, topK, data }: RoutedExperts, start: number, end: number): RoutedExperts {
  return { start: 0, layers, topK, data: data.slice(start * layers * topK, end * layers * topK) };
}

function sliceTopP({ offsets, tokenIds }: TopPCandidates, start: number, end: number): TopPCandidates {
  const own = offsets.slice(start, end + 1);
  const [first, last] = [own[0] ?? 0, own.at(-1) ?? 0];
  return { offsets: own.map((offset) => offset - first), tokenIds: tokenIds.slice(first, last) };
}
