import { attributeOf, attributeOnly } from '../python/attributes.js';
import { concatenate, isStr, joinTexts, respelled, textOf } from '../python/data-text.js';
import { dumpJson, type DumpOptions } from '../python/dump-json.js';
import { formatPercent } from '../python/format-percent.js';
import { itemsOf } from '../python/container-methods.js';
import { iterate } from '../python/iterate.js';
import { lengthOf } from '../python/length.js';
import { spend } from '../python/meter.js';
import { Parameters, plainText } from '../python/parameters.js';
import { toStr } from '../python/print.js';
import { capitalized, TEXT_METHODS } from '../python/text-methods.js';
import { replace, splitLines } from '../python/text-search.js';
import { truthy, typeName } from '../python/types.js';
import { Dict, Generator, isList, PythonError, Tuple, typeError, Undefined, type Arguments, type Keywords, type Str, type Value } from '../python/values.js';
import { GROUPING_FILTERS } from './grouping-filters.js';
import { NUMBER_FILTERS } from './number-filters.js';
import { SEQUENCE_FILTERS } from './sequence-filters.js';
import { escapeHtml, TEXT_FILTERS } from './text-filters.js';

export type Filter = (value: Value, args: Arguments, keywords: Keywords) => Value;

/**
 * Jinja's own filters, but for two that are refused.
 *
 * source jinja2 3.1.6 filters.py; tojson as transformers replaces it
 */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['tojson', toJson],
  ['string', toStr],
  ['safe', toStr],
  ['escape', escapeHtml], ['e', escapeHtml], ['forceescape', escapeHtml],
  ['trim', (value, args, keywords) => TEXT_METHODS.get('strip')?.(toStr(value), args, keywords) ?? null],
  ['upper', (value) => respell(value, (text) => text.toUpperCase())],
  ['lower', (value) => respell(value, (text) => text.toLowerCase())],
  ['capitalize', (value) => respell(value, capitalized)],
  ['title', (value) => respell(value, (text) => text.split(/([-\s({[<]+)/u).map(withCapital).join(''))],
  ['replace', (value, args, keywords) => {
    const given = new Parameters('replace', args, keywords, ['old', 'new', 'count']);
    const count = given.or('count', null);
    return replace(toStr(value), textOf(toStr(given.required('old'))), toStr(given.required('new')), count === null ? -1 : given.index('count', -1));
  }],
  ['indent', indent],
  ['truncate', truncate],
  ['center', (value, args, keywords) => TEXT_METHODS.get('center')?.(toStr(value), args.length + keywords.size === 0 ? [80] : args, keywords) ?? null],
  ['format', (value, args, keywords) => formatPercent(toStr(value), keywords.size > 0 ? dictOf(keywords) : new Tuple(args))],
  ['join', (value, args, keywords) => {
    const given = new Parameters('join', args, keywords, ['d', 'attribute']);
    const attribute = plainText(given.optionalText('attribute'));
    return joinTexts(toStr(given.or('d', '')), iterate(value).map((item) => toStr(attribute === undefined ? item : attributeOf(item, attribute))));
  }],
  ['length', lengthOf], ['count', lengthOf],
  ['wordcount', (value) => {
    const words = textOf(toStr(value)).match(/[\p{L}\p{N}_]+/gu) ?? [];
    spend(words.length);
    return words.length;
  }],
  ['default', fallBack], ['d', fallBack],
  ['items', (value) => {
    if (value instanceof Undefined) return new Generator([]);
    if (!(value instanceof Dict)) throw typeError('Can only get item pairs from a mapping.');
    return new Generator(itemsOf(value));
  }],
  ['attr', (value, [name = '']) => attributeOnly(value, textOf(toStr(name)))],
  ...NUMBER_FILTERS,
  ...SEQUENCE_FILTERS,
  ...GROUPING_FILTERS,
  ...TEXT_FILTERS,
]);

/** What Jinja has besides, with the reason why a template that uses it is refused. */
const REFUSED_FILTERS: ReadonlyMap<string, string> = new Map([
  ['random', 'it gives another result every time, so that no prompt could be told again'],
  ['urlize', 'it makes links for web pages'],
]);

function toJson(value: Value, args: Arguments, keywords: Keywords): Str {
  if (args.length === 0 && keywords.size === 0) return dumpJson(value);
  const given = new Parameters('tojson', args, keywords, ['ensure_ascii', 'indent', 'separators', 'sort_keys']);
  const [indentation, separators] = [given.or('indent', null), given.or('separators', null)];
  const pair = separators instanceof Tuple ? separators.items : isList(separators) ? separators : [];
  const [item, key] = pair;
  const options: DumpOptions = {
    ensureAscii: truthy(given.get('ensure_ascii') ?? false),
    sortKeys: truthy(given.get('sort_keys') ?? false),
    ...(indentation === null ? {} : { indent: isStr(indentation) ? textOf(indentation) : ' '.repeat(Math.min(Math.max(given.index('indent', 0), 0), 100)) }),
    ...(isStr(item) && isStr(key) ? { separators: [item, key] as const } : {}),
  };
  return dumpJson(value, options);
}

function respell(value: Value, change: (text: string) => string): Str {
  const text = toStr(value);
  return respelled(text, change(textOf(text)));
}

/** The first character in its capital form, which for some is two characters; `str.title` has another form. */
function withCapital(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

function indent(value: Value, args: Arguments, keywords: Keywords): Str {
  const given = new Parameters('indent', args, keywords, ['width', 'first', 'blank']);
  if (value instanceof Undefined) value.raise();
  if (!isStr(value)) throw typeError(`unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
  const width = given.or('width', 4);
  const space = isStr(width) ? textOf(width) : ' '.repeat(Math.min(Math.max(given.index('width', 4), 0), 1000));
  const blank = truthy(given.get('blank') ?? false);
  const lines = splitLines(concatenate(value, '\n'), false).map((line, index) => (index > 0 && (blank || textOf(line) !== '') ? concatenate(space, line) : line));
  const whole = joinTexts('\n', lines);
  return truthy(given.get('first') ?? false) ? concatenate(space, whole) : whole;
}

function truncate(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('truncate', args, keywords, ['length', 'killwords', 'end', 'leeway']);
  const [length, leeway, end] = [given.index('length', 255), given.index('leeway', 5), textOf(toStr(given.or('end', '...')))];
  if (!isStr(value)) {
    if (lengthOf(value) <= length + leeway) return value;
    throw typeError(`a ${typeName(value)} cannot be truncated`);
  }
  const characters = Array.from(textOf(value));
  if (characters.length <= length + leeway) return value;
  const kept = characters.slice(0, Math.max(0, length - end.length)).join('');
  const space = kept.lastIndexOf(' ');
  return respelled(value, (truthy(given.get('killwords') ?? false) || space < 0 ? kept : kept.slice(0, space)) + end);
}

function fallBack(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('default', args, keywords, ['default_value', 'boolean']);
  const missing = value instanceof Undefined || (truthy(given.get('boolean') ?? false) && !truthy(value));
  return missing ? given.or('default_value', '') : value;
}

function dictOf(keywords: Keywords): Dict {
  const dict = new Dict();
  for (const [name, value] of keywords) dict.set(name, name, value);
  return dict;
}

export function unknownFilter(name: string): PythonError {
  const reason = REFUSED_FILTERS.get(name);
  return new PythonError('TemplateRuntimeError', reason === undefined ? `No filter named '${name}' found.` : `The filter '${name}' is not supported: ${reason}.`);
}

/** Applies a filter by name, for `map`. */
export function applyFilter(name: string, value: Value, args: Arguments, keywords: Keywords): Value {
  const filter = FILTERS.get(name);
  if (filter === undefined) throw unknownFilter(name);
  return filter(value, args, keywords);
}
