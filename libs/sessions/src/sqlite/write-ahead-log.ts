import type { Buffer } from 'node:buffer';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Where the newest committed copy of each page stands in a write-ahead log; undefined when the bytes are no log of this page size.
 *
 * A client that was killed, or is still running, has most of its rows here. Frames behind the last commit, of an older use of the file
 * (other salts) or with a wrong checksum do not count.
 *
 * source  https://www.sqlite.org/fileformat2.html, section 4
 */
export function indexWriteAheadLog(log: Buffer, pageBytes: number): ReadonlyMap<number, number> | undefined {
  if (log.length < HEADER_BYTES) return undefined;
  const magic = log.readUInt32BE(0);
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682 || log.readUInt32BE(8) !== pageBytes) return undefined;
  const sum = checksums(magic === 0x377f0683);
  let state = sum(log, 0, 24, [0, 0]);
  const pages = new Map<number, number>();
  const pending = new Map<number, number>();
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= log.length; at += FRAME_HEADER_BYTES + pageBytes) {
    if (log.readUInt32BE(at + 8) !== log.readUInt32BE(16) || log.readUInt32BE(at + 12) !== log.readUInt32BE(20)) break;
    state = sum(log, at, at + 8, state);
    state = sum(log, at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes, state);
    if (state[0] !== log.readUInt32BE(at + 16) || state[1] !== log.readUInt32BE(at + 20)) break;
    pending.set(log.readUInt32BE(at), at + FRAME_HEADER_BYTES);
    if (log.readUInt32BE(at + 4) === 0) continue;
    for (const [page, offset] of pending) pages.set(page, offset);
    pending.clear();
  }
  return pages;
}

type Checksum = readonly [number, number];

function checksums(bigEndian: boolean): (bytes: Buffer, start: number, end: number, before: Checksum) => Checksum {
  const read = (bytes: Buffer, at: number): number => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  return (bytes, start, end, [first, second]) => {
    for (let at = start; at < end; at += 8) {
      first = (first + read(bytes, at) + second) >>> 0;
      second = (second + read(bytes, at + 4) + first) >>> 0;
    }
    return [first, second];
  };
}
