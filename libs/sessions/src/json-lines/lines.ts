import { Buffer } from 'node:buffer';

/** A line of a file, without its line end. */
export interface Line {
  /** From 0. */
  readonly ordinal: number;
  /** Of the first byte of `bytes` in the file. */
  readonly byteOffset: number;
  /** A view that is valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** False for a last line without its line end. */
  readonly terminated: boolean;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts a stream of bytes at 0x0A, and at nothing else.
 *
 * U+2028, U+2029, U+0085, VT and FF are ordinary text inside JSON strings: readline and splitlines cut there and break records
 * (siteboon/claudecodeui#1002). One carriage return before the line end and a byte-order mark at the start belong to no line.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let ordinal = 0;
  let offset = 0;
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const whole = joined(pieces, bytes.subarray(start, end));
      pieces = [];
      yield lineOf(whole, ordinal++, offset, true);
      offset += whole.length + 1;
      start = end + 1;
    }
    // A copy: the producer may reuse its buffer for the next chunk.
    if (start < bytes.length) pieces.push(Buffer.from(bytes.subarray(start)));
  }
  if (pieces.length > 0) yield lineOf(Buffer.concat(pieces), ordinal, offset, false);
}

function joined(pieces: Buffer[], last: Buffer): Buffer {
  return pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
}

function lineOf(whole: Buffer, ordinal: number, offset: number, terminated: boolean): Line {
  const marked = ordinal === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf;
  const start = marked ? 3 : 0;
  const end = whole.length > start && whole[whole.length - 1] === CARRIAGE_RETURN ? whole.length - 1 : whole.length;
  return { ordinal, byteOffset: offset + start, bytes: whole.subarray(start, end), terminated };
}
