import { DataText, isStr, joinTexts, respelled, textOf } from '../python/data-text.js';
import { fixed } from '../python/format-spec.js';
import { iterate } from '../python/iterate.js';
import { toDouble } from '../python/numbers.js';
import { Parameters } from '../python/parameters.js';
import { prettyPrint } from '../python/pretty-print.js';
import { toRepr, toStr } from '../python/print.js';
import { splitLines } from '../python/text-search.js';
import { strip } from '../python/text.js';
import { isNumber, truthy, typeName } from '../python/types.js';
import { Dict, PythonError, typeError, Undefined, type Arguments, type Keywords, type Str, type Value } from '../python/values.js';
import { wrapText } from '../python/wrap-text.js';
import { unpack } from './globals.js';
import { toFloat } from './number-filters.js';
import type { Filter } from './filters.js';

/** Filters that few templates use. source jinja2 3.1.6 filters.py, utils.py; markupsafe 3.0 */
export const TEXT_FILTERS: readonly (readonly [string, Filter])[] = [
  ['filesizeformat', fileSize],
  ['pprint', prettyPrint],
  ['striptags', stripTags],
  ['urlencode', urlEncode],
  ['wordwrap', wordWrap],
  ['xmlattr', xmlAttributes],
];

function fileSize(value: Value, args: Arguments, keywords: Keywords): Str {
  const binary = truthy(new Parameters('filesizeformat', args, keywords, ['binary']).or('binary', false));
  if (!isStr(value) && !isNumber(value)) throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`);
  const float = isNumber(value) ? toDouble(value) : toFloat(value)?.value;
  if (float === undefined) throw new PythonError('ValueError', `could not convert string to float: ${textOf(toRepr(value))}`);
  const base = binary ? 1024 : 1000;
  if (float === 1) return '1 Byte';
  if (float < base) return `${Math.trunc(float)} Bytes`;
  const power = Math.min(Array.from('kMGTPEZY').findIndex((_, index) => float < base ** (index + 2)) + 1 || 8, 8);
  const prefix = 'kMGTPEZY'[power - 1] ?? '';
  return `${fixed((base * float) / base ** (power + 1), 1)} ${binary ? `${prefix.toUpperCase()}iB` : `${prefix}B`}`;
}

function urlEncode(value: Value): Str {
  if (isStr(value)) return respelled(value, quoted(textOf(value), '/'));
  const pairs = value instanceof Dict ? Array.from(value.entries.values(), ({ key, value: entry }) => [key, entry]) : typeof value === 'object' && value !== null && !isNumber(value) && !(value instanceof Undefined) ? iterate(value).map((pair) => unpack(pair, 2)) : undefined;
  if (value instanceof Undefined) return '';
  if (pairs === undefined) return quoted(textOf(toStr(value)), '/');
  return pairs.map((pair) => pair.map((part) => quoted(textOf(toStr(part)), '').replaceAll('%20', '+')).join('=')).join('&');
}

/** urllib's quote: everything but letters, digits, `_.-~` and what is safe besides. */
function quoted(text: string, safe: string): string {
  if (!text.isWellFormed()) throw new PythonError('UnicodeEncodeError', "'utf-8' codec can't encode a surrogate: surrogates not allowed");
  const escaped = encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return safe === '/' ? escaped.replaceAll('%2F', '/') : escaped;
}

function wordWrap(value: Value, args: Arguments, keywords: Keywords): Str {
  const given = new Parameters('wordwrap', args, keywords, ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens']);
  if (!isStr(value)) throw typeError(`'${typeName(value)}' object has no attribute 'splitlines'`);
  const options = { width: given.index('width', 79), breakLongWords: truthy(given.or('break_long_words', true)), breakOnHyphens: truthy(given.or('break_on_hyphens', true)) };
  const wrapping = textOf(toStr(given.or('wrapstring', null) === null ? '\n' : given.or('wrapstring', '\n')));
  return respelled(value, textOf(joinTexts(wrapping, splitLines(value, false).map((line) => joinTexts(wrapping, wrapText(textOf(line), options))))));
}

function xmlAttributes(value: Value, args: Arguments, keywords: Keywords): Str {
  const spaced = truthy(new Parameters('xmlattr', args, keywords, ['autospace']).or('autospace', true));
  if (!(value instanceof Dict)) throw typeError(`'${typeName(value)}' object has no attribute 'items'`);
  const attributes: Str[] = [];
  for (const { key, value: entry } of value.entries.values()) {
    if (entry === null || entry instanceof Undefined) continue;
    if (!isStr(key)) throw typeError(`expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[\t-\r /=>]/.test(textOf(key))) throw new PythonError('ValueError', `Invalid character in attribute name: ${textOf(toRepr(key))}`);
    attributes.push(joinTexts('', [escapeHtml(key), '="', escapeHtml(entry), '"']));
  }
  const text = joinTexts(' ', attributes);
  return spaced && attributes.length > 0 ? joinTexts('', [' ', text]) : text;
}

/** `value|escape`: the text of Python's Markup; as text it behaves like any other here. */
export function escapeHtml(value: Value): Str {
  const text = toStr(value);
  return respelled(text, textOf(text).replace(/[&<>'"]/g, (character) => ESCAPES[character] ?? character));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' };

function stripTags(value: Value): Str {
  const text = toStr(value);
  const bare = withoutTags(withoutComments(textOf(text)));
  const words = unescapeHtml(strip(bare).split(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/).join(' '));
  return typeof text === 'string' ? words : new DataText(words);
}

/** Leaving a comment out may make the beginning of another one of what stood around it. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  for (let index = 0; index < text.length; index++) {
    kept.push(text[index] ?? '');
    if (text[index] !== '-' || kept.slice(-OPEN.length).join('') !== OPEN) continue;
    const end = commentEnd(text, index + 1);
    if (end < 0) return kept.join('') + text.slice(index + 1);
    kept.length -= OPEN.length;
    index = end - 1;
  }
  return kept.join('');
}

const OPEN = '<!--';

/** After the first `-->`, which may begin with the dashes of the opener. */
function commentEnd(text: string, after: number): number {
  if (text[after] === '>') return after + 1;
  if (text.startsWith('->', after)) return after + 2;
  const found = text.indexOf('-->', after);
  return found < 0 ? -1 : found + 3;
}

function withoutTags(text: string): string {
  const kept: string[] = [];
  let start = 0;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', start)) {
    const close = text.indexOf('>', open);
    if (close < 0) break;
    kept.push(text.slice(start, open));
    start = close + 1;
  }
  return kept.join('') + text.slice(start);
}

const NAMED: ReadonlyMap<string, string> = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"], ['nbsp', '\u00a0']]);

/** throws PythonError for a name that is none of the few that text is escaped with: HTML has two thousand */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]*));/g, (_, decimal?: string, hexadecimal?: string, name = '') => {
    if (decimal !== undefined || hexadecimal !== undefined) return String.fromCodePoint(decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal));
    const character = NAMED.get(name as string);
    if (character === undefined) throw new PythonError('ValueError', `striptags: the entity &${String(name)}; is not supported; known are ${[...NAMED.keys()].join(', ')} and numbers`);
    return character;
  });
}
