import { itemOf } from '../python/attributes.js';
import { compareValues, equal, keyOf } from '../python/compare.js';
import { itemsOf } from '../python/container-methods.js';
import { isStr, textOf } from '../python/data-text.js';
import { iterate } from '../python/iterate.js';
import { spend } from '../python/meter.js';
import { operate } from '../python/operators.js';
import { Parameters } from '../python/parameters.js';
import { toStr } from '../python/print.js';
import { truthy, typeName } from '../python/types.js';
import { Dict, Generator, orElse, PythonError, Tuple, Undefined, type Arguments, type DictKey, type Keywords, type Value } from '../python/values.js';
import { applyFilter, type Filter } from './filters.js';
import { TESTS } from './tests.js';

export const SEQUENCE_FILTERS: readonly (readonly [string, Filter])[] = [
  ['list', (value) => [...iterate(value)]],
  ['first', (value) => orElse(iterate(value)[0], () => new Undefined('No first item, sequence was empty.'))],
  ['last', (value) => orElse(iterate(value).at(-1), () => new Undefined('No last item, sequence was empty.'))],
  ['reverse', (value) => (isStr(value) ? Array.from(textOf(value)).reverse().join('') : new Generator([...iterate(value)].reverse()))],
  ['dictsort', dictSort],
  ['sort', sort],
  ['unique', (value, args, keywords) => {
    const given = new Parameters('unique', args, keywords, ['case_sensitive', 'attribute']);
    const key = keyGetter(given.or('attribute', null), truthy(given.get('case_sensitive') ?? false));
    const seen = new Set<DictKey>();
    return new Generator(iterate(value).filter((item) => {
      const found = keyOf(key(item));
      return !seen.has(found) && seen.add(found).size > 0;
    }));
  }],
  ['min', extreme('min', (order) => order < 0)],
  ['max', extreme('max', (order) => order > 0)],
  ['sum', (value, args, keywords) => {
    const given = new Parameters('sum', args, keywords, ['attribute', 'start']);
    const get = getter(given.or('attribute', null));
    return iterate(value).reduce((total, item) => operate('+', total, get(item)), given.or('start', 0));
  }],
  ['map', (value, args, keywords) => new Generator(truthy(value) ? iterate(value).map(mapping(args, keywords)) : [])],
  ['select', chosen((args) => ({ get: (item) => item, test: args, keep: true }))],
  ['reject', chosen((args) => ({ get: (item) => item, test: args, keep: false }))],
  ['selectattr', chosen(([attribute = null, ...test]) => ({ get: getter(attribute), test, keep: true }))],
  ['rejectattr', chosen(([attribute = null, ...test]) => ({ get: getter(attribute), test, keep: false }))],
];

/** Reads `a.b.0` of an item; without a name, the item itself. */
export function getter(attribute: Value, otherwise?: Value): (item: Value) => Value {
  if (attribute === null) return (item) => item;
  const parts = isStr(attribute) ? textOf(attribute).split('.').map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part)) : [attribute];
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = itemOf(value, part);
      if (otherwise !== undefined && value instanceof Undefined) value = otherwise;
    }
    return value;
  };
}

function keyGetter(attribute: Value, caseSensitive: boolean): (item: Value) => Value {
  const get = getter(attribute);
  return caseSensitive ? get : (item) => lowered(get(item));
}

export function lowered(value: Value): Value {
  return isStr(value) ? textOf(value).toLowerCase() : value;
}

/** Of each item, about. */
const SORTING_STEPS = 8;

export function sorted(items: readonly Value[], key: (item: Value) => Value, reverse: boolean): Value[] {
  spend(items.length * SORTING_STEPS);
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const order = (a: { readonly key: Value }, b: { readonly key: Value }): number => compareValues('<', a.key, b.key);
  // As Python: a reversed sort keeps equal items in their order.
  return keyed.sort(reverse ? (a, b) => order(b, a) : order).map(({ item }) => item);
}

function dictSort(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('dictsort', args, keywords, ['case_sensitive', 'by', 'reverse']);
  if (value instanceof Undefined) value.raise();
  if (!(value instanceof Dict)) throw new PythonError('TypeError', `'${typeName(value)}' object has no attribute 'items'`);
  const place = equal(given.or('by', 'key'), 'value') ? 1 : 0;
  const caseSensitive = truthy(given.get('case_sensitive') ?? false);
  const key = (item: Value): Value => {
    const part = item instanceof Tuple ? (item.items[place] ?? null) : null;
    return caseSensitive ? part : lowered(part);
  };
  return sorted(itemsOf(value), key, truthy(given.get('reverse') ?? false));
}

function sort(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('sort', args, keywords, ['reverse', 'case_sensitive', 'attribute']);
  const attribute = given.or('attribute', null);
  const caseSensitive = truthy(given.get('case_sensitive') ?? false);
  const names = isStr(attribute) ? textOf(attribute).split(',') : [attribute];
  // Always a list of keys, as Jinja's: of lists, elements that are equal are never asked which is less.
  const keys = names.map((name) => keyGetter(name, caseSensitive));
  return sorted(iterate(value), (item) => keys.map((get) => get(item)), truthy(given.get('reverse') ?? false));
}

function extreme(name: string, better: (order: number) => boolean): Filter {
  return (value, args, keywords) => {
    const given = new Parameters(name, args, keywords, ['case_sensitive', 'attribute']);
    const key = keyGetter(given.or('attribute', null), truthy(given.get('case_sensitive') ?? false));
    let best: Value | undefined;
    for (const item of iterate(value)) if (best === undefined || better(compareValues(name === 'min' ? '<' : '>', key(item), key(best)))) best = item;
    return orElse(best, () => new Undefined('No aggregated item, sequence was empty.'));
  };
}

function mapping(args: Arguments, keywords: Keywords): (item: Value) => Value {
  const [name, ...rest] = args;
  if (name !== undefined) return (item) => applyFilter(textOf(toStr(name)), item, rest, keywords);
  const attribute = keywords.get('attribute');
  if (attribute === undefined) throw new PythonError('FilterArgumentError', 'map requires a filter argument');
  return getter(attribute, keywords.get('default'));
}

interface Choice {
  readonly get: (item: Value) => Value;
  readonly test: Arguments;
  readonly keep: boolean;
}

function chosen(choose: (args: Arguments) => Choice): Filter {
  return (value, args) => {
    const { get, test: [name, ...rest], keep } = choose(args);
    const test = name === undefined ? truthy : TESTS.get(textOf(toStr(name)));
    if (test === undefined) throw new PythonError('TemplateRuntimeError', `No test named '${textOf(toStr(name ?? ''))}'.`);
    return new Generator(truthy(value) ? iterate(value).filter((item) => test(get(item), rest) === keep) : []);
  };
}
