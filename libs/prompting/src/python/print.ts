import { DataText, isStr, respelled, TextBuilder } from './data-text.js';
import { spend } from './meter.js';
import { floatRepr, stringRepr } from './text.js';
import { objectName } from './types.js';
import { Callable, Dict, DictView, Float, isList, Namespace, PythonError, Tuple, Undefined, type Str, type Value } from './values.js';

/** `str(value)`, as `{{ value }}` prints it; what is undefined prints nothing. */
export function toStr(value: Value): Str {
  if (isStr(value)) return value;
  if (typeof value === 'number') return String(value);
  return value instanceof Undefined ? '' : toRepr(value);
}

/** `repr(value)` */
export function toRepr(value: Value): Str {
  const builder = new TextBuilder();
  print(value, builder, 0);
  return builder.build();
}

/** Python stops at a depth of about a thousand. */
export const DEEPEST_VALUE = 900;
/** What printing one value counts. */
export const PRINTING_STEPS = 4;

function print(value: Value, into: TextBuilder, depth: number): void {
  spend(PRINTING_STEPS);
  if (depth > DEEPEST_VALUE) throw new PythonError('RecursionError', 'maximum recursion depth exceeded while getting the repr of an object');
  if (isStr(value)) into.add(reprOfText(value));
  else if (value instanceof Dict) printDict(value, into, depth);
  else if (isList(value)) printItems('[', value, ']', into, depth);
  else if (value instanceof Tuple) printItems('(', value.items, value.items.length === 1 ? ',)' : ')', into, depth);
  else if (value instanceof DictView) printItems(`${value.kind}([`, value.items, '])', into, depth);
  else into.add(plainRepr(value));
}

function reprOfText(value: Str): Str {
  if (!(value instanceof DataText)) return stringRepr(value);
  const text = stringRepr(value.text);
  // Quotes around, and otherwise the same: the account only moves by one.
  return text.length === value.text.length + 2 ? new DataText(text, value.runs?.map((offset) => offset + 1)) : respelled(value, text);
}

function plainRepr(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return value.toString();
  if (typeof value === 'bigint') return printInteger(value);
  if (value instanceof Float) return floatRepr(value.value);
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Namespace) return '<Namespace>';
  if (value instanceof Callable) return `<function ${value.name}>`;
  return `<${objectName(value)}>`;
}

/** Python prints integers of up to 4300 digits. */
function printInteger(value: bigint): string {
  spend(16);
  if (value >= TOO_LONG || value <= -TOO_LONG) throw new PythonError('ValueError', 'Exceeds the limit (4300 digits) for integer string conversion');
  return value.toString();
}

const TOO_LONG = 10n ** 4300n;

function printDict(value: Dict, into: TextBuilder, depth: number): void {
  let separator = '{';
  for (const { key, value: entry } of value.entries.values()) {
    into.add(separator);
    print(key, into, depth + 1);
    into.add(': ');
    print(entry, into, depth + 1);
    separator = ', ';
  }
  into.add(value.entries.size === 0 ? '{}' : '}');
}

function printItems(open: string, items: readonly Value[], close: string, into: TextBuilder, depth: number): void {
  into.add(open);
  for (const [index, item] of items.entries()) {
    if (index > 0) into.add(', ');
    print(item, into, depth + 1);
  }
  into.add(close);
}
