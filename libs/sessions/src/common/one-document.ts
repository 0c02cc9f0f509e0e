import { Buffer } from 'node:buffer';
import type { SourceFile } from '@turnwright/contracts';

const STEP_BYTES = 1024 * 1024;

/** True when the file is one JSON document, over several lines or on a single one, and no JSON lines. A first line may be of any length. */
export async function opensOneDocument(source: SourceFile): Promise<boolean> {
  const start = await opening(source);
  if (start.text.startsWith('[')) return true;
  const end = start.text.indexOf('\n');
  if (end < 0) return !/\}\s*\{"/.test(start.text) || isWhole(start.text);
  const first = start.text.slice(0, end);
  const rest = start.text.slice(end + 1);
  // A whole object on the first line, or behind a damaged one: lines, when another one follows.
  if (isWhole(first)) return rest.trim() === '' && start.whole;
  const second = rest.split('\n', 1)[0] ?? '';
  if (second.startsWith('{') && isWhole(second)) return false;
  return first.trim().length < 256 && !/[}\]]\s*$/.test(first.trim());
}

/** The first line with what was read behind it. */
async function opening(source: SourceFile): Promise<{ readonly text: string; readonly whole: boolean }> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < source.sizeBytes; at += STEP_BYTES) {
    const piece = Buffer.from(await source.slice(at, Math.min(source.sizeBytes, at + STEP_BYTES)));
    pieces.push(piece);
    const text = at === 0 ? clean(piece) : undefined;
    // A list is one document, however long.
    if (piece.includes(0x0a) || text?.startsWith('[') === true) break;
  }
  const bytes = Buffer.concat(pieces);
  return { text: clean(bytes), whole: bytes.length >= source.sizeBytes };
}

function clean(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '').trimStart();
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
