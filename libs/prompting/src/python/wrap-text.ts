import { PythonError } from './values.js';
import { strip } from './text.js';

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
  const chunks = (breakOnHyphens ? chunksAtHyphens(text) : text.split(/([\t\n\v\f\r ]+)/)).filter((chunk) => chunk !== '').map((chunk) => Array.from(chunk)).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line: string[][] = [];
    let length = 0;
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop();
    for (let next = chunks.at(-1); next !== undefined && length + next.length <= width; next = chunks.at(-1)) {
      line.push(next);
      length += next.length;
      chunks.pop();
    }
    const long = chunks.at(-1);
    if (long !== undefined && long.length > width) {
      if (breakLongWords) {
        const end = breakOnHyphens ? hyphenBefore(long, width - length) : width - length;
        line.push(long.slice(0, end));
        chunks[chunks.length - 1] = long.slice(end);
      } else if (line.length === 0) line.push(...chunks.splice(-1));
    }
    if (isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.flat().join(''));
  }
  return lines;
}

function isBlank(chunk: readonly string[] | undefined): boolean {
  return chunk !== undefined && strip(chunk.join('')) === '';
}

/** A long word is rather broken after a hyphen that fits. */
function hyphenBefore(word: readonly string[], space: number): number {
  const hyphen = word.lastIndexOf('-', space - 1);
  return space > 0 && hyphen > 0 && word.slice(0, hyphen).some((character) => character !== '-') ? hyphen + 1 : space;
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
