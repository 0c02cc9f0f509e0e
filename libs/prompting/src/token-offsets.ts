import type { Span, Tokenizer } from '@turnwright/contracts';

/** What an offset counts. */
export type OffsetUnit = 'utf16' | 'code-points';

/**
 * The span of text that each token stands for, in the text that the ids decode to.
 *
 * A token that holds only some bytes of a character has the whole character; so has the next one.
 * shape  parallel to `ids`
 */
export function tokenOffsets(ids: ArrayLike<number>, tokenizer: Pick<Tokenizer, 'tokenBytes'>, unit: OffsetUnit): readonly Span[] {
  const spans: Span[] = [];
  let offset = 0;
  /** Bytes of the character that is not whole yet, and how wide it is. */
  let [missing, width] = [0, 0];
  for (const id of Array.from(ids)) {
    const start = missing > 0 ? offset - width : offset;
    for (const byte of tokenizer.tokenBytes(id)) {
      if (missing > 0 && (byte & 0xc0) === 0x80) missing--;
      else {
        missing = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
        width = unit === 'utf16' && byte >= 0xf0 ? 2 : 1;
        offset += width;
      }
    }
    spans.push({ start, end: offset });
  }
  return spans;
}

/** The first token that holds the character at an offset, or undefined; spans are in order. */
export function tokenAt(spans: readonly Span[], offset: number): number | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found = spans[low];
  return found !== undefined && found.start <= offset && offset < found.end ? low : undefined;
}

/**
 * The mask of what `generation` blocks wrote, as transformers makes it from their spans in code points.
 *
 * source transformers tokenization_utils_base apply_chat_template: an end token of index 0 counts as none, and marks all that follows
 */
export function generationMask(spans: readonly Span[], generations: readonly (readonly [number, number])[]): Uint8Array {
  const mask = new Uint8Array(spans.length);
  for (const [start, end] of generations) {
    const first = tokenAt(spans, start);
    const last = tokenAt(spans, end - 1);
    if (first !== undefined) mask.fill(1, first, last === undefined || last === 0 ? spans.length : last + 1);
  }
  return mask;
}

/** Decodes ids as they come; the bytes of a character that is not whole yet wait for the next ids. */
export class IncrementalDecoder {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(private readonly tokenizer: Pick<Tokenizer, 'tokenBytes'>) {}

  push(id: number): string {
    return this.decoder.decode(this.tokenizer.tokenBytes(id), { stream: true });
  }

  /** What is left: U+FFFD for a character that never became whole. */
  end(): string {
    return this.decoder.decode();
  }
}
