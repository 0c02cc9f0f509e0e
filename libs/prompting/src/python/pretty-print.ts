import { compareValues } from './compare.js';
import { countCodePoints } from './code-points.js';
import { DataText, isStr, textOf } from './data-text.js';
import { spend } from './meter.js';
import { DEEPEST_VALUE, PRINTING_STEPS, toRepr } from './print.js';
import { splitLines } from './text-search.js';
import { stringRepr } from './text.js';
import { Dict, isList, PythonError, Tuple, type Str, type Value } from './values.js';

const WIDTH = 80;

/** `pprint.pformat(value)`. source CPython 3.11 Lib/pprint.py */
export function prettyPrint(value: Value): Str {
  const sorted = withSortedKeys(value, 0);
  const text = format(sorted, { indent: 0, allowance: 0, level: 0 });
  return toRepr(value) instanceof DataText ? new DataText(text) : text;
}

/** Where a value stands: how far right, and how much must still fit after it. */
interface Place {
  readonly indent: number;
  readonly allowance: number;
  readonly level: number;
}

function format(value: Value, place: Place): string {
  spend(1);
  const { indent, allowance } = place;
  const repr = textOf(toRepr(value));
  if (countCodePoints(repr) <= WIDTH - indent - allowance) return repr;
  const inside = { indent: indent + 1, allowance: allowance + 1, level: place.level + 1 };
  if (isStr(value)) return formatText(textOf(value), { ...place, level: place.level + 1 }, repr);
  if (value instanceof Dict) return value.entries.size === 0 ? repr : `{${formatEntries(value, inside)}}`;
  if (isList(value)) return `[${formatItems(value, inside)}]`;
  if (!(value instanceof Tuple)) return repr;
  const close = value.items.length === 1 ? ',)' : ')';
  return `(${formatItems(value.items, { ...inside, allowance: allowance + close.length })}${close}`;
}

function formatEntries({ entries }: Dict, { indent, allowance, level }: Place): string {
  const last = entries.size - 1;
  return Array.from(entries.values(), ({ key, value }, index) => {
    const name = textOf(toRepr(key));
    return `${name}: ${format(value, { indent: indent + countCodePoints(name) + 2, allowance: index === last ? allowance : 1, level })}`;
  }).join(`,\n${' '.repeat(indent)}`);
}

function formatItems(items: readonly Value[], { indent, allowance, level }: Place): string {
  return items.map((item, index) => format(item, { indent, allowance: index === items.length - 1 ? allowance : 1, level })).join(`,\n${' '.repeat(indent)}`);
}

/** A long text is written as several literals, one below the other; alone, in parentheses. */
function formatText(text: string, place: Place, repr: string): string {
  if (text === '') return repr;
  const alone = place.level === 1;
  const [indent, allowance] = alone ? [place.indent + 1, place.allowance + 1] : [place.indent, place.allowance];
  const lines = splitLines(text, true).map(textOf);
  const literals = lines.flatMap((line, index) => formatLine(line, WIDTH - indent, index === lines.length - 1 ? allowance : 0));
  const [only] = literals;
  if (literals.length === 1 && only !== undefined) return only;
  const joined = literals.join(`\n${' '.repeat(indent)}`);
  return alone ? `(${joined})` : joined;
}

function formatLine(line: string, width: number, allowance: number): readonly string[] {
  const whole = stringRepr(line);
  if (countCodePoints(whole) <= width - allowance) return [whole];
  const words = line.match(/\S+\s*|\s+/gu) ?? [];
  const literals: string[] = [];
  let current = '';
  for (const [index, word] of words.entries()) {
    const fits = countCodePoints(stringRepr(current + word)) <= width - (index === words.length - 1 ? allowance : 0);
    if (!fits && current !== '') literals.push(stringRepr(current));
    current = fits ? current + word : word;
  }
  return current === '' ? literals : [...literals, stringRepr(current)];
}

function withSortedKeys(value: Value, depth: number): Value {
  spend(PRINTING_STEPS);
  if (depth > DEEPEST_VALUE) throw new PythonError('RecursionError', 'maximum recursion depth exceeded');
  if (isList(value)) return value.map((item) => withSortedKeys(item, depth + 1));
  if (value instanceof Tuple) return new Tuple(value.items.map((item) => withSortedKeys(item, depth + 1)));
  if (!(value instanceof Dict)) return value;
  const sorted = new Dict();
  const entries = [...value.entries].sort(([, a], [, b]) => compareKeys(a.key, b.key));
  for (const [lookup, { key, value: entry }] of entries) sorted.set(lookup, key, withSortedKeys(entry, depth + 1));
  return sorted;
}

/** Keys that cannot be compared keep their order; Python sorts them by their types' names and places in memory. */
function compareKeys(a: Value, b: Value): number {
  try {
    return compareValues('<', a, b);
  } catch (error) {
    if (error instanceof PythonError) return 0;
    throw error;
  }
}
