import { equal, keyOf } from './compare.js';
import { spend } from './meter.js';
import { Parameters } from './parameters.js';
import { toRepr } from './print.js';
import { textOf } from './data-text.js';
import type { Dict} from './values.js';
import { DictView, orElse, PythonError, Tuple, type Arguments, type Float, type Keywords, type Value } from './values.js';

export type DictMethod = (self: Dict, args: Arguments, keywords: Keywords) => Value;

/** The methods of `dict` that change nothing; the sandbox refuses the others. */
export const DICT_METHODS: ReadonlyMap<string, DictMethod> = new Map<string, DictMethod>([
  ['get', (self, args, keywords) => {
    const given = new Parameters('get', args, keywords, ['key', 'default']);
    return orElse(self.entries.get(keyOf(given.required('key')))?.value, () => given.or('default', null));
  }],
  ['keys', (self) => new DictView('dict_keys', entriesOf(self, ({ key }) => key))],
  ['values', (self) => new DictView('dict_values', entriesOf(self, ({ value }) => value))],
  ['items', (self) => new DictView('dict_items', itemsOf(self))],
  ['copy', (self) => self],
]);

/** Pairs of key and value. */
export function itemsOf(dict: Dict): readonly Tuple[] {
  return entriesOf(dict, ({ key, value }) => new Tuple([key, value]));
}

function entriesOf<T>(dict: Dict, take: (entry: { readonly key: Value; readonly value: Value }) => T): readonly T[] {
  spend(dict.entries.size);
  return Array.from(dict.entries.values(), take);
}

export type ListMethod = (items: readonly Value[], args: Arguments) => Value;

/** The methods of `list` and `tuple` that change nothing. */
export const LIST_METHODS: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['index', (items, [wanted = null]) => {
    const found = items.findIndex((item) => equal(item, wanted));
    if (found < 0) throw new PythonError('ValueError', `${textOf(toRepr(wanted))} is not in list`);
    return found;
  }],
  ['count', (items, [wanted = null]) => items.filter((item) => equal(item, wanted)).length],
  ['copy', (items) => items],
]);

export const FLOAT_METHODS: ReadonlyMap<string, (self: Float) => Value> = new Map<string, (self: Float) => Value>([['is_integer', ({ value }) => Number.isInteger(value)]]);
