import { Buffer } from 'node:buffer';
import type { SourceFile } from '@turnwright/contracts';

const HEAD_BYTES = 64 * 1024;

/** True when the file is one JSON document over several lines, or on a single one that holds a list of messages, and no JSON lines. */
export async function opensOneDocument(source: SourceFile): Promise<boolean> {
  const head = Buffer.from(await source.slice(0, Math.min(source.sizeBytes, HEAD_BYTES))).toString('utf8').replace(/^\uFEFF/, '').trimStart();
  if (head.startsWith('[')) return true;
  const end = head.indexOf('\n');
  const first = end < 0 ? head : head.slice(0, end);
  const second = end < 0 ? '' : (head.slice(end + 1).split('\n', 1)[0] ?? '');
  // A whole object on the first line, or behind a damaged one: lines, when another one follows.
  if (isWhole(first)) return head.slice(first.length).trim() === '';
  if (second.startsWith('{') && isWhole(second)) return false;
  return end >= 0 ? first.trim().length < 256 && !/[}\]]\s*$/.test(first.trim()) : !/\}\s*\{/.test(head);
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
