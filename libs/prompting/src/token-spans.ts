import type { Span, Tokenizer, TokenSpan, TokenSpanKind } from '@turnwright/contracts';

/** A run of an output's text, measured in the bytes that the tokenizer makes of it. */
export interface ByteRun {
  readonly kind: TokenSpanKind;
  readonly bytes: number;
  readonly trainable: boolean;
}

/**
 * Gives each token to the run in which it begins; a token that reaches into a run that is not trainable is not trained.
 *
 * shape  `mask` is parallel to `ids`; the spans tile `ids`
 */
export function spanTokens(ids: Int32Array, runs: readonly ByteRun[], tokenizer: Tokenizer, callId: string): { readonly mask: Uint8Array; readonly spans: readonly TokenSpan[] } {
  const mask = new Uint8Array(ids.length);
  const spans: TokenSpan[] = [];
  let run = 0;
  let runEnd = runs[0]?.bytes ?? 0;
  let byte = 0;
  let spanStart = 0;
  let spanKind: TokenSpanKind = 'text';
  for (const [index, id] of ids.entries()) {
    while (byte >= runEnd && run < runs.length - 1) runEnd += runs[++run]?.bytes ?? 0;
    const first = runs[run];
    const tokenEnd = byte + tokenizer.tokenBytes(id).length;
    let trainable = first?.trainable ?? false;
    for (let reached = run, end = runEnd; end < tokenEnd && reached < runs.length - 1; end += runs[reached]?.bytes ?? 0) trainable &&= runs[++reached]?.trainable ?? false;
    mask[index] = trainable ? 1 : 0;
    const kind = first?.kind ?? 'text';
    if (kind !== spanKind) {
      append(spans, { start: spanStart, end: index }, spanKind, callId);
      [spanStart, spanKind] = [index, kind];
    }
    byte = tokenEnd;
  }
  append(spans, { start: spanStart, end: ids.length }, spanKind, callId);
  return { mask, spans };
}

function append(spans: TokenSpan[], span: Span, kind: TokenSpanKind, callId: string): void {
  if (span.end > span.start) spans.push({ span, kind, callId });
}
