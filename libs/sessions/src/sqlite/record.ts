import { Buffer } from 'node:buffer';
import { readVarint } from './varint.js';

export type SqliteValue = string | number | Buffer | null;
export type TextEncoding = 'utf8' | 'utf16le' | 'utf16be';

/**
 * The columns of a stored row, in order; a row that is older than a column lacks it.
 *
 * source  https://www.sqlite.org/fileformat2.html, section 2.1
 * throws  RangeError for a record that is longer than its payload
 */
export function readRecord(payload: Buffer, encoding: TextEncoding): SqliteValue[] {
  const header = readVarint(payload, 0);
  const values: SqliteValue[] = [];
  let at = header.end;
  let body = header.value;
  while (at < header.value) {
    const kind = readVarint(payload, at);
    at = kind.end;
    const length = lengthOf(kind.value);
    if (body + length > payload.length) throw new RangeError('expected a value, found the end of the record');
    values.push(valueOf(kind.value, payload.subarray(body, body + length), encoding));
    body += length;
  }
  return values;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

function lengthOf(kind: number): number {
  return kind >= 12 ? Math.floor((kind - 12) / 2) : (LENGTHS[kind] ?? 0);
}

function valueOf(kind: number, bytes: Buffer, encoding: TextEncoding): SqliteValue {
  if (kind === 0) return null;
  if (kind === 8 || kind === 9) return kind - 8;
  if (kind === 7) return bytes.readDoubleBE(0);
  if (kind === 6) return Number(bytes.readBigInt64BE(0));
  if (kind < 12) return bytes.readIntBE(0, bytes.length);
  if (kind % 2 === 0) return Buffer.from(bytes);
  if (encoding === 'utf8') return bytes.toString('utf8');
  return encoding === 'utf16le' ? bytes.toString('utf16le') : Buffer.from(bytes).swap16().toString('utf16le');
}
