import { equal } from '../python/compare.js';
import { isStr, textOf } from '../python/data-text.js';
import { wholeNumber } from '../python/format-percent.js';
import { calculate, integer, parseInteger, toDouble } from '../python/numbers.js';
import { Parameters } from '../python/parameters.js';
import { strip } from '../python/text.js';
import { isNumber, typeName } from '../python/types.js';
import { Float, orElse, typeError, Undefined, type Arguments, type Keywords, type Value } from '../python/values.js';
import type { Filter } from './filters.js';

export const NUMBER_FILTERS: readonly (readonly [string, Filter])[] = [
  ['int', (value, args, keywords) => {
    const given = new Parameters('int', args, keywords, ['default', 'base']);
    return orElse(toInteger(value, given.index('base', 10)), () => given.or('default', 0));
  }],
  ['float', (value, args, keywords) => orElse(toFloat(value), () => new Parameters('float', args, keywords, ['default']).or('default', new Float(0)))],
  ['abs', (value) => {
    if (value instanceof Undefined) value.raise();
    if (!isNumber(value)) throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
    return value instanceof Float ? new Float(Math.abs(value.value)) : toDouble(value) < 0 ? calculate('-', 0, value) : calculate('+', 0, value);
  }],
  ['round', round],
];

function toInteger(value: Value, base: number): number | bigint | undefined {
  if (value instanceof Undefined) value.raise();
  if (isNumber(value)) return value instanceof Float && !Number.isFinite(value.value) ? undefined : wholeNumber(value);
  if (!isStr(value)) return undefined;
  const whole = parseInteger(textOf(value), base);
  if (whole !== undefined) return whole;
  const float = toFloat(value);
  return float === undefined || !Number.isFinite(float.value) ? undefined : wholeNumber(float);
}

export function toFloat(value: Value): Float | undefined {
  if (value instanceof Undefined) value.raise();
  if (isNumber(value)) return new Float(toDouble(value));
  if (!isStr(value)) return undefined;
  const text = strip(textOf(value));
  if (/^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(text)) return new Float(Number(text));
  const named = /^([-+]?)(inf|infinity|nan)$/i.exec(text);
  return named === null ? undefined : new Float(named[2]?.toLowerCase() === 'nan' ? NaN : named[1] === '-' ? -Infinity : Infinity);
}

/** `round(value, precision)` gives a float, ties to the even digit as Python's. */
function round(value: Value, args: Arguments, keywords: Keywords): Value {
  const given = new Parameters('round', args, keywords, ['precision', 'method']);
  const method = given.or('method', 'common');
  if (!isNumber(value)) throw typeError(`type ${typeName(value)} doesn't define __round__ method`);
  const precision = given.index('precision', 0);
  const number = toDouble(value);
  const scale = 10 ** precision;
  if (equal(method, 'ceil')) return new Float(Math.ceil(number * scale) / scale);
  if (equal(method, 'floor')) return new Float(Math.floor(number * scale) / scale);
  if (!(value instanceof Float)) return roundInteger(BigInt(typeof value === 'boolean' ? Number(value) : value), -precision);
  if (precision > 0) return new Float(Number(number.toFixed(Math.min(precision, 100))));
  const rounded = Math.round(number * scale);
  const tie = Math.abs(number * scale % 1) === 0.5 && rounded % 2 !== 0;
  return new Float((tie ? rounded - 1 : rounded) / scale);
}

/** To a multiple of a power of ten, ties to the even one. */
function roundInteger(value: bigint, zeros: number): number | bigint {
  if (zeros <= 0) return integer(value);
  const unit = 10n ** BigInt(Math.min(zeros, LONGEST_INTEGER));
  const rest = ((value % unit) + unit) % unit;
  const below = value - rest;
  const up = 2n * rest > unit || (2n * rest === unit && (below / unit) % 2n !== 0n);
  return integer(up ? below + unit : below);
}

/** More digits than an integer may have here. */
const LONGEST_INTEGER = 20_000;
