import { compareValues, contains, equal, keyOf, type Ordering } from '../python/compare.js';
import { isStr, textOf } from '../python/data-text.js';
import { spendText } from '../python/meter.js';
import { operate } from '../python/operators.js';
import { toStr } from '../python/print.js';
import { TEXT_TESTS } from '../python/text-tests.js';
import { isInteger, isNumber } from '../python/types.js';
import { FILTERS } from './filters.js';
import { Callable, Dict, DictView, Float, Generator, isList, Tuple, Undefined, type Arguments, type Value } from '../python/values.js';

export type Test = (value: Value, args: Arguments) => boolean;

const ordering = (operator: Ordering, holds: (order: number) => boolean): Test => (value, [other = null]) => holds(compareValues(operator, value, other));
const isEqual: Test = (value, [other = null]) => equal(value, other);
const isUnequal: Test = (value, [other = null]) => !equal(value, other);
const [less, lessOrEqual, greater, greaterOrEqual] = [ordering('<', (order) => order < 0), ordering('<=', (order) => order <= 0), ordering('>', (order) => order > 0), ordering('>=', (order) => order >= 0)];

function isCase(name: string, value: Value): boolean {
  const text = textOf(toStr(value));
  spendText(text.length);
  return TEXT_TESTS.get(name)?.(text) === true;
}

/** Of a text, `%` is formatting. */
const modulo = (value: Value, divisor: Value): Value => operate('%', value, divisor);

/**
 * The tests of `is`.
 *
 * source jinja2 3.1.6 tests.py
 */
export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', (value) => !(value instanceof Undefined)],
  ['undefined', (value) => value instanceof Undefined],
  ['none', (value) => value === null],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', isInteger],
  ['float', (value) => value instanceof Float],
  ['number', isNumber],
  ['string', isStr],
  ['mapping', (value) => value instanceof Dict],
  ['sequence', (value) => isStr(value) || isList(value) || value instanceof Dict || value instanceof Tuple || value instanceof Undefined],
  ['iterable', (value) => isStr(value) || isList(value) || value instanceof Dict || value instanceof Tuple || value instanceof DictView || value instanceof Generator || value instanceof Undefined],
  ['callable', (value) => value instanceof Callable],
  ['sameas', (value, [other = null]) => value === other || (isStr(value) && isStr(other) && textOf(value) === textOf(other))],
  ['odd', (value) => equal(modulo(value, 2), 1)],
  ['even', (value) => equal(modulo(value, 2), 0)],
  ['divisibleby', (value, [divisor = null]) => equal(modulo(value, divisor), 0)],
  ['lower', (value) => isCase('islower', value)],
  ['upper', (value) => isCase('isupper', value)],
  ['in', (value, [container = null]) => contains(container, value)],
  ['escaped', () => false],
  ['filter', (value) => typeof keyOf(value) === 'string' && FILTERS.has(textOf(toStr(value)))],
  ['test', (value) => typeof keyOf(value) === 'string' && TESTS.has(textOf(toStr(value)))],
  ['eq', isEqual], ['equalto', isEqual], ['==', isEqual],
  ['ne', isUnequal], ['!=', isUnequal],
  ['lt', less], ['lessthan', less], ['<', less],
  ['le', lessOrEqual], ['<=', lessOrEqual],
  ['gt', greater], ['greaterthan', greater], ['>', greater],
  ['ge', greaterOrEqual], ['>=', greaterOrEqual],
]);
