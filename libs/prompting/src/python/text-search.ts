import { codePointOffsets } from './code-points.js';
import { cut, TextBuilder, textOf } from './data-text.js';
import { isSpace } from './text.js';
import { PythonError, type Str } from './values.js';

/** `text.split(separator, maximum)`; without a separator, at runs of white space, the ends' own left out. */
export function split(value: Str, separator: string | undefined, maximum: number): Str[] {
  if (separator === undefined) return splitAtSpace(value, maximum);
  if (separator === '') throw new PythonError('ValueError', 'empty separator');
  const text = textOf(value);
  const pieces: Str[] = [];
  let start = 0;
  for (let found = text.indexOf(separator); found >= 0 && pieces.length !== maximum; found = text.indexOf(separator, start)) {
    pieces.push(cut(value, start, found));
    start = found + separator.length;
  }
  pieces.push(cut(value, start, text.length));
  return pieces;
}

function splitAtSpace(value: Str, maximum: number): Str[] {
  const text = textOf(value);
  const pieces: Str[] = [];
  let start = 0;
  for (;;) {
    while (start < text.length && isSpace(text[start] ?? '')) start++;
    if (start >= text.length) return pieces;
    let end = start;
    if (pieces.length === maximum) end = text.length;
    else while (end < text.length && !isSpace(text[end] ?? '')) end++;
    pieces.push(cut(value, start, end));
    start = end;
  }
}

/** `text.rsplit(separator, maximum)` */
export function splitFromEnd(value: Str, separator: string | undefined, maximum: number): Str[] {
  if (maximum < 0) return split(value, separator, -1);
  if (separator === undefined) return splitAtSpaceFromEnd(value, maximum);
  if (separator === '') throw new PythonError('ValueError', 'empty separator');
  const text = textOf(value);
  const pieces: Str[] = [];
  let end = text.length;
  while (pieces.length < maximum && end >= separator.length) {
    const found = text.lastIndexOf(separator, end - separator.length);
    if (found < 0) break;
    pieces.push(cut(value, found + separator.length, end));
    end = found;
  }
  pieces.push(cut(value, 0, end));
  return pieces.reverse();
}

function splitAtSpaceFromEnd(value: Str, maximum: number): Str[] {
  const text = textOf(value);
  const pieces: Str[] = [];
  let end = text.length;
  for (;;) {
    while (end > 0 && isSpace(text[end - 1] ?? '')) end--;
    if (end === 0) return pieces.reverse();
    let start = end;
    if (pieces.length === maximum) start = 0;
    else while (start > 0 && !isSpace(text[start - 1] ?? '')) start--;
    pieces.push(cut(value, start, end));
    end = start;
  }
}

/** `text.splitlines(keepends)` */
export function splitLines(value: Str, keepEnds: boolean): Str[] {
  const text = textOf(value);
  const lines: Str[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/g)) {
    const end = match.index + match[0].length;
    lines.push(cut(value, start, keepEnds ? end : match.index));
    start = end;
  }
  if (start < text.length) lines.push(cut(value, start, text.length));
  return lines;
}

/** `text.replace(old, new, maximum)`; an empty `old` matches between code points. */
export function replace(value: Str, old: string, replacement: Str, maximum: number): Str {
  const text = textOf(value);
  if (old !== '' && !text.includes(old)) return value;
  const into = new TextBuilder();
  let start = 0;
  let count = 0;
  for (const found of occurrences(text, old)) {
    if (count++ === maximum) break;
    into.add(cut(value, start, found));
    into.add(replacement);
    start = found + old.length;
  }
  into.add(cut(value, start, text.length));
  return into.build();
}

function* occurrences(text: string, old: string): Generator<number> {
  if (old === '') yield* codePointOffsets(text) ?? Array.from({ length: text.length + 1 }, (_, index) => index);
  else for (let found = text.indexOf(old); found >= 0; found = text.indexOf(old, found + old.length)) yield found;
}
