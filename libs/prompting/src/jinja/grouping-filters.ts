import { equal } from '../python/compare.js';
import { iterate } from '../python/iterate.js';
import { spend } from '../python/meter.js';
import { floorDivide, toIndex } from '../python/numbers.js';
import { Parameters } from '../python/parameters.js';
import { truthy } from '../python/types.js';
import { Generator, Group, PythonError, type Arguments, type Keywords, type Value } from '../python/values.js';
import type { Filter } from './filters.js';
import { getter, lowered, sorted } from './sequence-filters.js';

/** Filters that make lists of lists. source jinja2 3.1.6 filters.py do_batch, do_slice, do_groupby */
export const GROUPING_FILTERS: readonly (readonly [string, Filter])[] = [
  ['batch', batch],
  ['slice', slice],
  ['groupby', groupBy],
];

function batch(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('batch', args, keywords, ['linecount', 'fill_with']);
  const [count, fill] = [toIndex(given.required('linecount')), given.or('fill_with', null)];
  const batches: Value[][] = [];
  let current: Value[] = [];
  for (const item of iterate(value)) {
    if (current.length === count) {
      batches.push(current);
      current = [];
    }
    current.push(item);
  }
  if (current.length > 0) batches.push(fill === null ? current : filled(current, count, fill));
  return new Generator(batches);
}

function filled(items: readonly Value[], count: number, fill: Value): Value[] {
  const missing = Math.max(0, count - items.length);
  spend(missing);
  return [...items, ...Array.from({ length: missing }, () => fill)];
}

function slice(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('slice', args, keywords, ['slices', 'fill_with']);
  const [count, fill, items] = [toIndex(given.required('slices')), given.or('fill_with', null), iterate(value)];
  if (count === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  spend(Math.max(0, count));
  const least = floorDivide(items.length, count);
  const longer = items.length - least * count;
  const slices: Value[][] = [];
  for (let start = 0, index = 0; index < count; index++) {
    const end = start + least + (index < longer ? 1 : 0);
    slices.push([...items.slice(start, end), ...(fill !== null && index >= longer ? [fill] : [])]);
    start = end;
  }
  return new Generator(slices);
}

/** Items of equal keys together, in the order of the keys; a key is given as the first of its items has it. */
function groupBy(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('groupby', args, keywords, ['attribute', 'default', 'case_sensitive']);
  const otherwise = given.or('default', null);
  const get = getter(given.required('attribute'), otherwise === null ? undefined : otherwise);
  const key = truthy(given.or('case_sensitive', false)) ? get : (item: Value) => lowered(get(item));
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const item of sorted(iterate(value), key, false)) {
    const [last, own] = [groups.at(-1), key(item)];
    if (last !== undefined && equal(last.key, own)) last.items.push(item);
    else groups.push({ key: own, items: [item] });
  }
  return groups.map(({ items }) => new Group(get(items[0] ?? null), items));
}
