import { putInteger } from './integer-bytes.js';
import { float32Text, shortestDecimal } from './number-text.js';

const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** A sign, 9 digits, a point, an exponent, a comma. */
const LONGEST = 24;

/** Single-precision numbers as `float32Text` prints them, with commas between; most without a text in between. */
export function float32Bytes(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * LONGEST);
  let end = 0;
  for (let i = 0; i < values.length; i++) {
    end = putFloat32(bytes, end, values[i] ?? 0);
    bytes[end++] = COMMA;
  }
  return bytes.subarray(0, Math.max(end - 1, 0));
}

function putFloat32(bytes: Uint8Array, at: number, value: number): number {
  const decimal = shortestDecimal(Math.abs(value));
  if (decimal === undefined) return putText(bytes, at, float32Text(value));
  let { digits, decimals } = decimal;
  while (decimals > 0 && digits % 10 === 0) [digits, decimals] = [digits / 10, decimals - 1];
  const start = value < 0 ? at + 1 : at;
  if (value < 0) bytes[at] = MINUS;
  return decimals === 0 ? putInteger(bytes, start, digits) : putPointed(bytes, start, digits, decimals);
}

function putPointed(bytes: Uint8Array, at: number, digits: number, decimals: number): number {
  let end = at + Math.max(digitCount(digits), decimals + 1) + 1;
  let rest = digits;
  const after = end;
  for (let left = decimals; left > 0; left--) {
    const shorter = Math.floor(rest / 10);
    bytes[--end] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
  bytes[--end] = POINT;
  do {
    const shorter = Math.floor(rest / 10);
    bytes[--end] = ZERO + rest - shorter * 10;
    rest = shorter;
  } while (end > at);
  return after;
}

function digitCount(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count++;
  return count;
}

function putText(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}
