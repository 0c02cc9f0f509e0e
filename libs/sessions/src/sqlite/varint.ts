import type { Buffer } from 'node:buffer';

/** A variable-length integer of SQLite and where it ends: up to nine bytes, big-endian, seven bits each but the last. */
export function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new RangeError('expected a number, found the end of the page');
    if (index === 8) return { value: Number(BigInt.asIntN(64, (value << 8n) | BigInt(byte))), end: start + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value: Number(value), end: start + index + 1 };
  }
  return { value: Number(value), end: start + 9 };
}
