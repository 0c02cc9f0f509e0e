import { Buffer } from 'node:buffer';
import type { Pages } from './pages.js';
import type { SqliteValue, TextEncoding } from './record.js';
import { readRecord } from './record.js';
import { readVarint } from './varint.js';

const LEAF = 0x0d;
const INTERIOR = 0x05;

/** A stored row. */
export interface StoredRow {
  readonly rowId: number;
  readonly values: readonly SqliteValue[];
  /** Of its page in the file. */
  readonly byteOffset: number;
}

/** How a database lays out its pages. */
export interface Layout {
  readonly pages: Pages;
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  readonly encoding: TextEncoding;
}

/** The rows of a table in the order of their ids; a page or a row that is damaged is reported and passed over. */
export async function* readTable(layout: Layout, root: number, onFault: (byteOffset: number, reason: string) => void): AsyncGenerator<StoredRow> {
  const waiting = [root];
  const visited = new Set<number>();
  for (let ordinal = waiting.pop(); ordinal !== undefined; ordinal = waiting.pop()) {
    const byteOffset = layout.pages.offsetOf(ordinal);
    // A damaged page may point back: a tree has no way to be met twice.
    if (visited.has(ordinal)) continue;
    visited.add(ordinal);
    try {
      const page = await layout.pages.page(ordinal);
      const start = ordinal === 1 ? 100 : 0;
      if (page[start] === INTERIOR) waiting.push(...childrenOf(page, start).reverse());
      else if (page[start] === LEAF) yield* leafRows(layout, page, start, byteOffset, onFault);
      else onFault(byteOffset, `expected a table page, found the page type ${String(page[start])}`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      onFault(byteOffset, error.message);
    }
  }
}

function childrenOf(page: Buffer, start: number): number[] {
  const cells = cellOffsets(page, start, 12);
  return [...cells.map((at) => page.readUInt32BE(at)), page.readUInt32BE(start + 8)];
}

function cellOffsets(page: Buffer, start: number, headerBytes: number): number[] {
  const count = page.readUInt16BE(start + 3);
  return Array.from({ length: count }, (_, index) => page.readUInt16BE(start + headerBytes + 2 * index));
}

async function* leafRows(layout: Layout, page: Buffer, start: number, byteOffset: number, onFault: (byteOffset: number, reason: string) => void): AsyncGenerator<StoredRow> {
  for (const at of cellOffsets(page, start, 8)) {
    try {
      const length = readVarint(page, at);
      const rowId = readVarint(page, length.end);
      const payload = await payloadOf(layout, page, rowId.end, length.value);
      yield { rowId: rowId.value, values: readRecord(payload, layout.encoding), byteOffset };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      onFault(byteOffset, error.message);
    }
  }
}

/** The bytes of a row: what stands in its page, and the chain of pages that holds the rest. */
async function payloadOf(layout: Layout, page: Buffer, at: number, length: number): Promise<Buffer> {
  const usable = layout.usableBytes;
  const local = localBytes(length, usable);
  if (local === length) return page.subarray(at, at + length);
  const pieces = [page.subarray(at, at + local)];
  let left = length - local;
  let next = page.readUInt32BE(at + local);
  for (const seen = new Set<number>(); left > 0; ) {
    if (next === 0 || seen.has(next)) throw new RangeError('expected the rest of a row, found the end of its pages');
    seen.add(next);
    const overflow = await layout.pages.page(next);
    next = overflow.readUInt32BE(0);
    const piece = Buffer.from(overflow.subarray(4, 4 + Math.min(left, usable - 4)));
    pieces.push(piece);
    left -= piece.length;
  }
  return Buffer.concat(pieces);
}

function localBytes(length: number, usable: number): number {
  const most = usable - 35;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}
