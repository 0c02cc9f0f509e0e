import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { memoryFile } from '../session.fixture.js';
import { splitLines } from './lines.js';

async function linesOf(content: string | Uint8Array, chunkBytes = 1 << 20): Promise<{ text: string; byteOffset: number; terminated: boolean }[]> {
  const found = [];
  for await (const line of splitLines(memoryFile(content, chunkBytes).stream())) found.push({ text: line.bytes.toString('utf8'), byteOffset: line.byteOffset, terminated: line.terminated });
  return found;
}

describe('splitLines', () => {
  it('cuts at a line feed only: U+2028, U+0085, VT and FF are text', async () => {
    expect(await linesOf('a\u2028b\u2029c\u0085d\u000be\u000cf\nx')).toEqual([
      { text: 'a\u2028b\u2029c\u0085d\u000be\u000cf', byteOffset: 0, terminated: true },
      { text: 'x', byteOffset: 17, terminated: false },
    ]);
  });
  it('leaves out the carriage return of a CRLF and counts it in offsets', async () => {
    expect(await linesOf('a\r\nb\r\n')).toEqual([{ text: 'a', byteOffset: 0, terminated: true }, { text: 'b', byteOffset: 3, terminated: true }]);
  });
  it('leaves out a byte-order mark and starts behind it', async () => {
    expect(await linesOf(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0a]))).toEqual([{ text: 'a', byteOffset: 3, terminated: true }]);
  });
  it('gives no line for an empty file and one for a missing final newline', async () => {
    expect(await linesOf('')).toEqual([]);
    expect(await linesOf('{}')).toEqual([{ text: '{}', byteOffset: 0, terminated: false }]);
  });
  it('gives the same lines at every chunk size', async () => {
    const content = 'é\r\n\n🙂🙂\n\u2028';
    const whole = await linesOf(content);
    for (let size = 1; size <= 20; size++) expect(await linesOf(content, size)).toEqual(whole);
  });
  it('joins a line of many chunks in linear time', async () => {
    const found = await linesOf('x'.repeat(4_000_000) + '\ny', 1024);
    expect(found.map((line) => line.text.length)).toEqual([4_000_000, 1]);
  });
});
