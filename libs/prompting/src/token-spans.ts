import type { ExclusionReason, Tokenizer, TokenSpan, TokenSpanKind } from '@turnwright/contracts';

/** A run of an output's text, measured in the bytes that the tokenizer makes of it. */
export interface ByteRun {
  readonly kind: TokenSpanKind;
  readonly bytes: number;
  readonly excluded: ExclusionReason | undefined;
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
  let open: Omit<TokenSpan, 'span'> & { readonly start: number } = { start: 0, kind: 'text', callId };
  const endSpan = (end: number): void => {
    const { start, ...rest } = open;
    if (end > start) spans.push({ span: { start, end }, ...rest });
  };
  for (const [index, id] of ids.entries()) {
    while (byte >= runEnd && run < runs.length - 1) runEnd += runs[++run]?.bytes ?? 0;
    const first = runs[run];
    const tokenEnd = byte + tokenizer.tokenBytes(id).length;
    let excluded = first === undefined ? 'template-text' : first.excluded;
    for (let reached = run, end = runEnd; end < tokenEnd && reached < runs.length - 1;) {
      const next = runs[++reached];
      excluded ??= next?.excluded;
      end += next?.bytes ?? 0;
    }
    mask[index] = excluded === undefined ? 1 : 0;
    const kind = first?.kind ?? 'text';
    if (kind !== open.kind || excluded !== open.excluded) {
      endSpan(index);
      open = { start: index, kind, callId, ...(excluded === undefined ? {} : { excluded }) };
    }
    byte = tokenEnd;
  }
  endSpan(ids.length);
  return { mask, spans };
}
