import { PythonError } from './values.js';
import { isSpace, strip } from './text.js';

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
}

/**
 * Lines of at most `width` code points, broken at white space, at hyphens, or within words that are longer.
 *
 * source CPython 3.11 Lib/textwrap.py, with expand_tabs and replace_whitespace off
 * throws PythonError for a width below 1
 */
export function wrapText(text: string, { width, breakLongWords, breakOnHyphens }: WrapOptions): readonly string[] {
  if (width <= 0) throw new PythonError('ValueError', `invalid width ${width} (must be > 0)`);
  const chunks = (breakOnHyphens ? chunksAtHyphens(text) : text.split(/([\t\n\v\f\r ]+)/)).filter((chunk) => chunk !== '').map((chunk) => ({ characters: Array.from(chunk), start: 0 })).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line: string[] = [];
    let length = 0;
    if (lines.length > 0 && isBlankChunk(chunks.at(-1))) chunks.pop();
    for (let next = chunks.at(-1); next !== undefined && length + lengthOf(next) <= width; next = chunks.at(-1)) {
      line.push(restOf(next));
      length += lengthOf(next);
      chunks.pop();
    }
    const long = chunks.at(-1);
    if (long !== undefined && lengthOf(long) > width) {
      if (breakLongWords) {
        const end = long.start + (breakOnHyphens ? hyphenBefore(long, width - length) : width - length);
        line.push(long.characters.slice(long.start, end).join(''));
        long.start = end;
      } else if (line.length === 0) line.push(...chunks.splice(-1).map(restOf));
    }
    if (isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.join(''));
  }
  return lines;
}

/** A word or white space, of which what comes before `start` stands in lines already. */
interface Chunk {
  readonly characters: readonly string[];
  start: number;
}

const lengthOf = ({ characters, start }: Chunk): number => characters.length - start;
const restOf = (chunk: Chunk | undefined): string => chunk?.characters.slice(chunk.start).join('') ?? '';

function isBlankChunk(chunk: Chunk | undefined): boolean {
  if (chunk === undefined) return false;
  for (let index = chunk.start; index < chunk.characters.length; index++) if (!isSpace(chunk.characters[index] ?? '')) return false;
  return true;
}

function isBlank(text: string | undefined): boolean {
  return text !== undefined && strip(text) === '';
}

/** A long word is rather broken after a hyphen that fits. */
function hyphenBefore({ characters, start }: Chunk, space: number): number {
  let hyphen = start + space - 1;
  while (hyphen > start && characters[hyphen] !== '-') hyphen--;
  let other = start;
  while (other < hyphen && characters[other] === '-') other++;
  return hyphen > start && other < hyphen ? hyphen - start + 1 : space;
}

const [PUNCTUATION, LETTER, SPACE] = [String.raw`[\p{L}\p{N}_!"'&.,?]`, String.raw`[\p{L}_]`, String.raw`[\t\n\v\f\r ]`];
/** White space, a dash between words, or a word up to white space, to a dash, or to a hyphen between letters. */
const CHUNK = new RegExp(
  String.raw`(${SPACE}+|(?<=${PUNCTUATION})-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ]+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${PUNCTUATION})(?=-{2,}[\p{L}\p{N}_])))`,
  'u',
);

function chunksAtHyphens(text: string): string[] {
  return text.split(CHUNK);
}
