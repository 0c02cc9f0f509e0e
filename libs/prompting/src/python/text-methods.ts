import { codePointOffsets, countCodePoints } from './code-points.js';
import { concatenate, cut, isStr, joinTexts, LONGEST_TEXT_UTF16, respelled, textOf } from './data-text.js';
import { formatBraces } from './format-braces.js';
import { iterate } from './iterate.js';
import { spend } from './meter.js';
import { Parameters, plainText } from './parameters.js';
import { replace, split, splitFromEnd, splitLines } from './text-search.js';
import { TEXT_TESTS } from './text-tests.js';
import { strippedEnd, strippedStart } from './text.js';
import { truthy, typeName } from './types.js';
import { Dict, PythonError, Tuple, typeError, type Arguments, type Keywords, type Str, type Value } from './values.js';

export type TextMethod = (self: Str, args: Arguments, keywords: Keywords) => Value;

/** The methods of `str`. */
export const TEXT_METHODS: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ['strip', stripping('strip', true, true)],
  ['lstrip', stripping('lstrip', true, false)],
  ['rstrip', stripping('rstrip', false, true)],
  ['split', (self, args, keywords) => {
    const given = new Parameters('split', args, keywords, ['sep', 'maxsplit']);
    return split(self, plainText(given.optionalText('sep')), given.index('maxsplit', -1));
  }],
  ['rsplit', (self, args, keywords) => {
    const given = new Parameters('rsplit', args, keywords, ['sep', 'maxsplit']);
    return splitFromEnd(self, plainText(given.optionalText('sep')), given.index('maxsplit', -1));
  }],
  ['splitlines', (self, args, keywords) => splitLines(self, truthy(new Parameters('splitlines', args, keywords, ['keepends']).get('keepends') ?? false))],
  ['partition', (self, args, keywords) => partition(self, new Parameters('partition', args, keywords, ['sep']).text('sep'), 'first')],
  ['rpartition', (self, args, keywords) => partition(self, new Parameters('rpartition', args, keywords, ['sep']).text('sep'), 'last')],
  ['replace', (self, args, keywords) => {
    const given = new Parameters('replace', args, keywords, ['old', 'new', 'count']);
    return replace(self, textOf(given.text('old')), given.text('new'), given.index('count', -1));
  }],
  ['join', (self, args, keywords) => joinTexts(self, iterate(new Parameters('join', args, keywords, ['iterable']).required('iterable'), 'can only join an iterable').map(sequenceItem))],
  ['startswith', affix('startswith', (text, prefix) => text.startsWith(prefix))],
  ['endswith', affix('endswith', (text, suffix) => text.endsWith(suffix))],
  ['removeprefix', (self, args, keywords) => {
    const prefix = textOf(new Parameters('removeprefix', args, keywords, ['prefix']).text('prefix'));
    return textOf(self).startsWith(prefix) ? cut(self, prefix.length, textOf(self).length) : self;
  }],
  ['removesuffix', (self, args, keywords) => {
    const suffix = textOf(new Parameters('removesuffix', args, keywords, ['suffix']).text('suffix'));
    return suffix !== '' && textOf(self).endsWith(suffix) ? cut(self, 0, textOf(self).length - suffix.length) : self;
  }],
  ['find', search('find', (text, part) => text.indexOf(part))],
  ['rfind', search('rfind', (text, part) => text.lastIndexOf(part))],
  ['index', search('index', (text, part) => text.indexOf(part))],
  ['rindex', search('rindex', (text, part) => text.lastIndexOf(part))],
  ['count', (self, args, keywords) => {
    const given = new Parameters('count', args, keywords, ['sub', 'start', 'end']);
    const part = textOf(given.text('sub'));
    const text = within(textOf(self), given).text;
    return part === '' ? countCodePoints(text) + 1 : text.split(part).length - 1;
  }],
  ['upper', spelling('upper', (text) => text.toUpperCase())],
  ['lower', spelling('lower', (text) => text.toLowerCase())],
  ['casefold', spelling('casefold', (text) => text.toLowerCase().replaceAll('ß', 'ss'))],
  ['title', spelling('title', titleCase)],
  ['capitalize', spelling('capitalize', capitalized)],
  ['swapcase', spelling('swapcase', (text) => Array.from(text, (character) => (character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase())).join(''))],
  ['zfill', (self, args, keywords) => {
    const zeros = '0'.repeat(missing(self, new Parameters('zfill', args, keywords, ['width']).index('width', 0)));
    const signed = /^[-+]/.test(textOf(self));
    return signed ? concatenate(cut(self, 0, 1), zeros, cut(self, 1, textOf(self).length)) : concatenate(zeros, self);
  }],
  ['ljust', justified('ljust', () => 0)],
  ['rjust', justified('rjust', (gap) => gap)],
  // CPython puts the odd one before when gap and width are both odd.
  ['center', justified('center', (gap, width) => (gap >> 1) + (gap & width & 1))],
  ['expandtabs', (self, args, keywords) => {
    const size = new Parameters('expandtabs', args, keywords, ['tabsize']).index('tabsize', 8);
    if (size > LONGEST_PADDING) throw new PythonError('OverflowError', 'a text would grow too long');
    return respelled(self, textOf(self).split(/(?<=[\r\n])/).map((line) => expandTabs(line, size)).join(''));
  }],
  ['format', (self, args, keywords) => formatBraces(self, args, keywords)],
  ['format_map', (self, args) => formatBraces(self, [], args[0] instanceof Dict ? new Map(Array.from(args[0].entries.values(), ({ key, value }) => [isStr(key) ? textOf(key) : '', value])) : new Map())],
  ...Array.from(TEXT_TESTS, ([name, holds]): [string, TextMethod] => [name, (self) => holds(textOf(self))]),
]);

function stripping(name: string, atStart: boolean, atEnd: boolean): TextMethod {
  return (self, args, keywords) => {
    const characters = args.length === 0 && keywords.size === 0 ? undefined : plainText(new Parameters(name, args, keywords, ['chars']).optionalText('chars'));
    const text = textOf(self);
    const start = atStart ? strippedStart(text, characters) : 0;
    const end = atEnd ? Math.max(start, strippedEnd(text, characters)) : text.length;
    spend((text.length - end + start) >> 2);
    return cut(self, start, end);
  };
}

function partition(self: Str, separator: Str, which: 'first' | 'last'): Tuple {
  const [text, part] = [textOf(self), textOf(separator)];
  if (part === '') throw new PythonError('ValueError', 'empty separator');
  const found = which === 'first' ? text.indexOf(part) : text.lastIndexOf(part);
  if (found < 0) return new Tuple(which === 'first' ? [self, '', ''] : ['', '', self]);
  return new Tuple([cut(self, 0, found), cut(self, found, found + part.length), cut(self, found + part.length, text.length)]);
}

function sequenceItem(item: Value, index: number): Str {
  if (isStr(item)) return item;
  throw typeError(`sequence item ${index}: expected str instance, ${typeName(item)} found`);
}

/** The part of a text that `start` and `end` name, in code points, and where it begins. */
function within(text: string, given: Parameters): { readonly text: string; readonly offset: number } {
  if (given.or('start', null) === null && given.or('end', null) === null) return { text, offset: 0 };
  const offsets = codePointOffsets(text);
  const length = offsets === undefined ? text.length : offsets.length - 1;
  const [start, end] = ['start', 'end'].map((name) => {
    const value = given.or(name, null) === null ? (name === 'start' ? 0 : length) : given.index(name, 0);
    return Math.min(Math.max(value < 0 ? value + length : value, 0), length);
  }) as [number, number];
  return { text: text.slice(offsets?.[start] ?? start, offsets?.[end] ?? end), offset: start };
}

function affix(name: string, holds: (text: string, part: string) => boolean): TextMethod {
  return (self, args, keywords) => {
    const given = new Parameters(name, args, keywords, ['prefix', 'start', 'end']);
    const wanted = given.required('prefix');
    const { text } = within(textOf(self), given);
    if (wanted instanceof Tuple) return wanted.items.some((item) => isStr(item) && holds(text, textOf(item)));
    if (!isStr(wanted)) throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(wanted)}`);
    return holds(text, textOf(wanted));
  };
}

function search(name: string, find: (text: string, part: string) => number): TextMethod {
  return (self, args, keywords) => {
    const given = new Parameters(name, args, keywords, ['sub', 'start', 'end']);
    const { text, offset } = within(textOf(self), given);
    const found = find(text, textOf(given.text('sub')));
    if (found < 0 && name.endsWith('index')) throw new PythonError('ValueError', 'substring not found');
    return found < 0 ? -1 : offset + countCodePoints(text.slice(0, found));
  };
}

function spelling(name: string, respell: (text: string) => string): TextMethod {
  return (self, args, keywords) => {
    void new Parameters(name, args, keywords, []);
    return respelled(self, respell(textOf(self)));
  };
}

/** Each tab up to the next column that is a multiple of `size`. */
function expandTabs(line: string, size: number): string {
  const [first = '', ...cells] = line.split('\t');
  let text = first;
  let column = countCodePoints(first);
  for (const cell of cells) {
    const gap = size > 0 ? size - (column % size) : 0;
    text += ' '.repeat(gap) + cell;
    if (text.length > LONGEST_TEXT_UTF16) throw new PythonError('MemoryError', `a text grew beyond ${LONGEST_TEXT_UTF16} UTF-16 units`);
    column += gap + countCodePoints(cell);
  }
  return text;
}

export function titleCase(text: string): string {
  return text.replace(/\p{L}+/gu, capitalized);
}

export function capitalized(text: string): string {
  const [first = ''] = text;
  return titled(first) + text.slice(first.length).toLowerCase();
}

/** Where the capital of one character is several, only the first of them stays one: `ß` becomes `Ss`. */
function titled(character: string): string {
  const [first = '', ...rest] = DIGRAPHS.get(character) ?? character.toUpperCase();
  return first + rest.join('').toLowerCase();
}

/** Letters that are two, which have a form of their own for titles. */
const DIGRAPHS: ReadonlyMap<string, string> = new Map(['\u01c4\u01c5\u01c6', '\u01c7\u01c8\u01c9', '\u01ca\u01cb\u01cc', '\u01f1\u01f2\u01f3'].flatMap((forms) => Array.from(forms, (form) => [form, forms[1] ?? ''] as const)));

function missing(self: Str, width: number): number {
  const gap = width - countCodePoints(textOf(self));
  if (gap > LONGEST_PADDING) throw new PythonError('OverflowError', 'a text would grow too long');
  return Math.max(0, gap);
}

const LONGEST_PADDING = 1_000_000;

function justified(name: string, before: (gap: number, width: number) => number): TextMethod {
  return (self, args, keywords) => {
    const given = new Parameters(name, args, keywords, ['width', 'fillchar']);
    const width = given.index('width', 0);
    const fill = plainText(given.optionalText('fillchar')) ?? ' ';
    const gap = missing(self, width);
    const left = before(gap, width);
    return concatenate(fill.repeat(left), self, fill.repeat(gap - left));
  };
}
