import { compareCodePoints } from './code-points.js';
import { isStr, textOf } from './data-text.js';
import { iterate } from './iterate.js';
import { toDouble } from './numbers.js';
import { toRepr } from './print.js';
import { spend, spendText } from './meter.js';
import { spendOn } from './working-size.js';
import { isNumber, typeName } from './types.js';
import { Dict, DictView, Float, isList, Tuple, typeError, Undefined, type DictKey, type Value } from './values.js';

export type Ordering = '<' | '<=' | '>' | '>=';

/** `a == b` */
export function equal(a: Value, b: Value): boolean {
  if (isStr(a)) return isStr(b) && sameText(textOf(a), textOf(b));
  if (a === b) return !(a instanceof Float && Number.isNaN(a.value));
  if (isNumber(a)) return isNumber(b) && sameNumber(a, b);
  if (a === null || b === null) return false;
  if (isList(a)) return isList(b) && equalItems(a, b);
  if (a instanceof Tuple) return b instanceof Tuple && equalItems(a.items, b.items);
  if (a instanceof Dict) return b instanceof Dict && equalDicts(a, b);
  return a instanceof Undefined && b instanceof Undefined;
}

function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  spendText(a.length);
  return a === b;
}

function sameNumber(a: boolean | number | bigint | Float, b: boolean | number | bigint | Float): boolean {
  const [left, right] = [a instanceof Float ? a.value : a, b instanceof Float ? b.value : b];
  // JavaScript compares a bigint with a number exactly, as Python does.
  return (typeof left === 'boolean' ? Number(left) : left) == (typeof right === 'boolean' ? Number(right) : right);
}

function equalItems(a: readonly Value[], b: readonly Value[]): boolean {
  spend(1);
  return a.length === b.length && a.every((item, index) => equal(item, b[index] as Value));
}

function equalDicts(a: Dict, b: Dict): boolean {
  spend(1);
  if (a.entries.size !== b.entries.size) return false;
  for (const [lookup, { value }] of a.entries) {
    const other = b.entries.get(lookup);
    if (other === undefined || !equal(value, other.value)) return false;
  }
  return true;
}

/** Less than 0, 0, or more; `operator` is what the message of a TypeError names. */
export function compareValues(operator: Ordering, a: Value, b: Value): number {
  if (isStr(a) && isStr(b)) return compareCodePoints(textOf(a), textOf(b));
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (isList(a) && isList(b)) return compareItems(operator, a, b);
  if (a instanceof Tuple && b instanceof Tuple) return compareItems(operator, a.items, b.items);
  if (a instanceof Undefined) a.raise();
  if (b instanceof Undefined) b.raise();
  throw typeError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

function compareNumbers(a: boolean | number | bigint | Float, b: boolean | number | bigint | Float): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [typeof a === 'bigint' ? a : toDouble(a), typeof b === 'bigint' ? b : toDouble(b)];
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : NaN;
}

function compareItems(operator: Ordering, a: readonly Value[], b: readonly Value[]): number {
  spend(1);
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a[index] as Value, b[index] as Value];
    if (!equal(left, right)) return compareValues(operator, left, right);
  }
  return a.length - b.length;
}

/** `item in container` */
export function contains(container: Value, item: Value): boolean {
  if (!(container instanceof Dict)) spendOn(container);
  if (isStr(container)) {
    if (isStr(item)) return textOf(container).includes(textOf(item));
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (container instanceof Dict) return container.entries.has(keyOf(item));
  if (isList(container)) return container.some((entry) => equal(entry, item));
  if (container instanceof Tuple || container instanceof DictView) return container.items.some((entry) => equal(entry, item));
  if (container instanceof Undefined) return false;
  return iterate(container, `argument of type '${typeName(container)}' is not iterable`).some((entry) => equal(entry, item));
}

/** What a dict finds a key by. throws TypeError for what cannot be hashed */
export function keyOf(key: Value): DictKey {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || key === null) return key;
  if (isStr(key)) return key.text;
  if (typeof key === 'boolean') return Number(key);
  if (key instanceof Float) return Number.isInteger(key.value) ? (Number.isSafeInteger(key.value) ? key.value || 0 : BigInt(key.value)) : key.value;
  if (key instanceof Tuple) {
    key.items.forEach(keyOf);
    return Symbol.for(textOf(toRepr(key)));
  }
  if (isList(key) || key instanceof Dict) throw typeError(`unhashable type: '${typeName(key)}'`);
  // Undefined values are one key; other objects are found by identity, which no JSON has.
  return key instanceof Undefined ? Symbol.for('Undefined') : Symbol(typeName(key));
}
