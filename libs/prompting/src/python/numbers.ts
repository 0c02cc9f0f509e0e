import { spend } from './meter.js';
import { strip } from './text.js';
import { typeName } from './types.js';
import { Float, PythonError, typeError, type Value } from './values.js';

type Integer = number | bigint;
type Operation = '+' | '-' | '*' | '/' | '//' | '%' | '**';

/** An integer in its one representation: a number while that is exact. */
export function integer(value: bigint): Integer {
  return value >= -MAX_SAFE && value <= MAX_SAFE ? Number(value) : value;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** Python prints no integer of more digits, and computes far larger ones; a template needs neither. */
const LARGEST_BITS = 1 << 16;

/** The number that `int` or `float` makes of a JSON number. */
export function numberOfLexeme(lexeme: string): Integer | Float {
  return /^-?[0-9]+$/.test(lexeme) ? integer(BigInt(lexeme)) : new Float(Number(lexeme));
}

/** `int(text, base)`: white space around, a sign, the base's prefix, single underscores between digits; undefined for another text. */
export function parseInteger(text: string, base: number): Integer | undefined {
  const [, sign, prefix = '', digits = ''] = /^([-+]?)(0[xXoObB]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(asciiDigits(strip(text))) ?? [];
  if (sign === undefined || digits.length > LONGEST_DIGITS) return undefined;
  const named = PREFIXES.get(prefix.slice(1, 2).toLowerCase());
  const [radix, body] = named !== undefined && (base === named || base === 0) ? [named, digits] : [base === 0 ? 10 : base, prefix.replace('_', '') + digits];
  if (radix < 2 || radix > 36) return undefined;
  let value = 0n;
  for (const digit of body.replaceAll('_', '')) {
    const number = parseInt(digit, 36);
    if (number >= radix) return undefined;
    value = value * BigInt(radix) + BigInt(number);
  }
  return integer(sign === '-' ? -value : value);
}

const PREFIXES: ReadonlyMap<string, number> = new Map([['x', 16], ['o', 8], ['b', 2]]);
/** Python's own limit. */
const LONGEST_DIGITS = 4300;

/** Decimal digits of any script as those of ASCII: each script has ten of them in a row. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let first = code;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
    return String((code - first) % 10);
  });
}

/** A bool, int or float as JavaScript's number. */
export function toDouble(value: boolean | Integer | Float): number {
  return value instanceof Float ? value.value : Number(value);
}

/** `left OPERATION right` of two numbers, bools among them. */
export function calculate(operation: Operation, left: boolean | Integer | Float, right: boolean | Integer | Float): Value {
  if (left instanceof Float || right instanceof Float || operation === '/') return calculateFloat(operation, toDouble(left), toDouble(right));
  const [a, b] = [typeof left === 'boolean' ? Number(left) : left, typeof right === 'boolean' ? Number(right) : right];
  if (typeof a === 'number' && typeof b === 'number') {
    const quick = operation === '+' ? a + b : operation === '-' ? a - b : operation === '*' ? a * b : undefined;
    if (quick !== undefined && Number.isSafeInteger(quick)) return quick === 0 ? 0 : quick;
  }
  return calculateInteger(operation, BigInt(a), BigInt(b));
}

function calculateInteger(operation: Operation, a: bigint, b: bigint): Value {
  // Some microseconds, for integers as large as they may be.
  spend(4);
  if (operation === '+') return integer(a + b);
  if (operation === '-') return integer(a - b);
  if (operation === '*') return integer(bounded(a, 1n) * bounded(b, 1n));
  if (operation === '**') return b < 0n ? calculateFloat('**', Number(a), Number(b)) : integer(bounded(a, b) ** b);
  if (b === 0n) throw new PythonError('ZeroDivisionError', operation === '//' ? 'integer division or modulo by zero' : 'integer modulo by zero');
  const remainder = ((a % b) + b) % b;
  return integer(operation === '%' ? remainder : (a - remainder) / b);
}

function bounded(base: bigint, exponent: bigint): bigint {
  if (BigInt(base.toString(16).length) * 4n * exponent > LARGEST_BITS) throw new PythonError('OverflowError', 'an integer grew too large');
  return base;
}

function calculateFloat(operation: Operation, a: number, b: number): Float {
  if (b === 0 && operation === '/') throw new PythonError('ZeroDivisionError', 'division by zero');
  if (b === 0 && operation === '//') throw new PythonError('ZeroDivisionError', 'float floor division by zero');
  if (b === 0 && operation === '%') throw new PythonError('ZeroDivisionError', 'float modulo');
  switch (operation) {
    case '+': return new Float(a + b);
    case '-': return new Float(a - b);
    case '*': return new Float(a * b);
    case '/': return new Float(a / b);
    case '//': return new Float(Math.round((a - floatRemainder(a, b)) / b));
    case '%': return new Float(floatRemainder(a, b));
    case '**': return power(a, b);
  }
}

/** `a // b` of integers that are small. */
export function floorDivide(a: number, b: number): number {
  return Math.floor(a / b);
}

function power(a: number, b: number): Float {
  if (a === 0 && b < 0) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  const value = a ** b;
  if (!Number.isFinite(value) && Number.isFinite(a) && Number.isFinite(b)) throw new PythonError('OverflowError', Number.isNaN(value) ? 'a complex number, which no template prints' : '(34, \'Numerical result out of range\')');
  return new Float(value);
}

/** The remainder with the divisor's sign. */
function floatRemainder(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** A value that must be an index, as a number of JavaScript; clamped to what any length reaches. */
export function toIndex(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  if (typeof value === 'boolean') return Number(value);
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}
