import type { Source } from './source.js';

/** What a look at the window tells: it stands there, it does not, or more text is needed to say. */
export type Look = 'yes' | 'no' | 'more';

/**
 * White space that a lookahead crosses at most.
 *
 * A closer that stands further from the next structural tag than this is data; the limit keeps a look constant in cost.
 */
export const LOOKAHEAD_SPACE = 256;

/** JSON's white space and the others that models write between tags. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** Index after the white space that begins at `index`, at most `limit` characters on. */
export function afterSpace(text: string, index: number, limit = Number.POSITIVE_INFINITY): number {
  let i = index;
  const end = Math.min(text.length, index + limit);
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Index after the white space that a lookahead at `index` crosses; undefined while the window does not tell. */
export function crossSpace(source: Source, index: number): number | undefined {
  const next = afterSpace(source.text, index, LOOKAHEAD_SPACE);
  return next === source.text.length && !source.final ? undefined : next;
}

/** Whether `literal` stands at `index`. */
export function lookLiteral(source: Source, index: number, literal: string): Look {
  const { text } = source;
  if (text.startsWith(literal, index)) return 'yes';
  const have = text.length - index;
  if (have >= literal.length || source.final) return 'no';
  return literal.startsWith(text.slice(index)) ? 'more' : 'no';
}

/** Whether one of `literals` stands at `index`; `more` when one still may. */
export function lookAny(source: Source, index: number, literals: readonly string[]): Look {
  let result: Look = 'no';
  for (const literal of literals) {
    const look = lookLiteral(source, index, literal);
    if (look === 'yes') return 'yes';
    if (look === 'more') result = 'more';
  }
  return result;
}
