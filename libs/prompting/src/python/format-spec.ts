import { codePointOffsets, countCodePoints } from './code-points.js';
import { concatenate, cut, isStr, textOf } from './data-text.js';
import { toDouble } from './numbers.js';
import { toStr } from './print.js';
import { floatRepr } from './text.js';
import { isInteger, isNumber, typeName } from './types.js';
import type { Float} from './values.js';
import { PythonError, typeError, type Str, type Value } from './values.js';

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?([0-9]*)([,_])?(?:\.([0-9]+))?([a-zA-Z%])?$/su;
/** No template needs wider fields, and a hostile one shall not have them. */
const WIDEST = 100_000;

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string;
}

/** `format(value, spec)` of texts and numbers. */
export function formatValue(value: Value, text: string): Str {
  if (text === '') return toStr(value);
  const spec = parseSpec(text, value);
  if (isStr(value)) return formatText(value, spec);
  if (isNumber(value) && typeof value !== 'boolean') return formatNumber(value, spec);
  if (typeof value === 'boolean') return formatNumber(Number(value), spec);
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
}

function parseSpec(text: string, value: Value): Spec {
  const match = SPEC.exec(text);
  if (match === null) throw new PythonError('ValueError', `Invalid format specifier '${text}' for object of type '${typeName(value)}'`);
  const [, fill, align, sign = '', alternate, zero, width = '', grouping = '', precision, type = ''] = match;
  if (Number(width) > WIDEST || Number(precision ?? 0) > WIDEST) throw new PythonError('ValueError', 'Too many decimal digits in format string');
  const numeric = !isStr(value);
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero !== undefined && numeric ? '=' : numeric ? '>' : '<'),
    sign, alternate: alternate !== undefined, width: Number(width), grouping, precision: precision === undefined ? undefined : Number(precision), type,
  };
}

function formatText(value: Str, spec: Spec): Str {
  if (spec.type !== '' && spec.type !== 's') throw new PythonError('ValueError', `Unknown format code '${spec.type}' for object of type 'str'`);
  if (spec.sign !== '') throw new PythonError('ValueError', 'Sign not allowed in string format specifier');
  if (spec.align === '=') throw new PythonError('ValueError', "'=' alignment not allowed in string format specifier");
  return pad(spec.precision === undefined ? value : firstCodePoints(value, spec.precision), spec);
}

/** The first `count` code points. */
export function firstCodePoints(value: Str, count: number): Str {
  const text = textOf(value);
  return cut(value, 0, codePointOffsets(text)?.[count] ?? Math.min(count, text.length));
}

function pad(value: Str, { fill, align, width }: Spec): Str {
  const missing = width - countCodePoints(textOf(value));
  if (missing <= 0) return value;
  const before = align === '>' ? missing : align === '^' ? missing >> 1 : 0;
  return concatenate(fill.repeat(before), value, fill.repeat(missing - before));
}

function formatNumber(value: number | bigint | Float, spec: Spec): Str {
  const text = isInteger(value) && INTEGER_TYPES.has(spec.type) ? integerDigits(value, spec) : floatDigits(toDouble(value), spec, value);
  const negative = text.startsWith('-');
  const sign = negative ? '-' : spec.sign === '+' ? '+' : spec.sign === ' ' ? ' ' : '';
  const digits = group(negative ? text.slice(1) : text, spec.grouping);
  if (spec.align !== '=') return pad(sign + digits, spec);
  return sign + spec.fill.repeat(Math.max(0, spec.width - sign.length - digits.length)) + digits;
}

const INTEGER_TYPES = new Set(['', 'd', 'x', 'X', 'o', 'b', 'c', 'n']);

function integerDigits(value: number | bigint, { type, alternate, precision }: Spec): string {
  if (precision !== undefined) throw new PythonError('ValueError', 'Precision not allowed in integer format specifier');
  if (type === 'c') return String.fromCodePoint(Number(value));
  const radix = type === 'x' || type === 'X' ? 16 : type === 'o' ? 8 : type === 'b' ? 2 : 10;
  const digits = value.toString(radix);
  const prefixed = alternate && radix !== 10 ? digits.replace(/^-?/, (minus) => `${minus}0${type.toLowerCase()}`) : digits;
  return type === 'X' ? prefixed.toUpperCase() : prefixed;
}

function floatDigits(value: number, { type, precision }: Spec, original: Value): string {
  if (!Number.isFinite(value)) return floatRepr(value) + (type === '%' ? '%' : '');
  switch (type) {
    case 'f': case 'F': return fixed(value, precision ?? 6);
    case '%': return `${fixed(value * 100, precision ?? 6)}%`;
    case 'e': case 'E': {
      const text = exponential(value, precision ?? 6);
      return type === 'E' ? text.toUpperCase() : text;
    }
    case 'g': case 'G': case 'n': return general(value, precision ?? 6);
    case '': return precision === undefined ? floatRepr(value) : general(value, precision);
    default: throw new PythonError('ValueError', `Unknown format code '${type}' for object of type '${typeName(original)}'`);
  }
}

/** `%.{precision}f`: JavaScript rounds the same, exactly, up to 100 digits and 1e21. */
export function fixed(value: number, precision: number): string {
  const minus = Object.is(value, -0) ? '-' : '';
  if (Math.abs(value) >= 1e21) return BigInt(value).toString() + (precision === 0 ? '' : `.${'0'.repeat(precision)}`);
  const text = value.toFixed(Math.min(precision, 100));
  return minus + text + '0'.repeat(Math.max(0, precision - 100));
}

function exponential(value: number, precision: number): string {
  const minus = Object.is(value, -0) ? '-' : '';
  return minus + value.toExponential(Math.min(precision, 100)).replace(/e([-+])([0-9])$/, 'e$10$2');
}

function general(value: number, precision: number): string {
  const digits = precision === 0 ? 1 : precision;
  const exponent = value === 0 ? 0 : Number(value.toExponential(Math.min(digits - 1, 100)).split('e')[1]);
  if (exponent < -4 || exponent >= digits) return exponential(value, digits - 1).replace(/\.?0+e/, 'e');
  const text = fixed(value, Math.max(0, digits - 1 - exponent));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function group(digits: string, separator: string): string {
  return separator === '' ? digits : digits.replace(/^[0-9]+/, (whole) => whole.replace(/\B(?=(?:[0-9]{3})+$)/g, separator));
}
