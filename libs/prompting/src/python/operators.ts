import { concatenate, isStr, LONGEST_TEXT_UTF16, TextBuilder, textOf } from './data-text.js';
import { formatPercent } from './format-percent.js';
import { spend, spendText } from './meter.js';
import { calculate, toIndex } from './numbers.js';
import { isInteger, isNumber, typeName } from './types.js';
import { Float, isList, PythonError, Tuple, typeError, Undefined, type Str, type Value } from './values.js';

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

/** `left OPERATOR right` */
export function operate(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '+' && isStr(left) && isStr(right)) return joined(left, right);
  if (isNumber(left) && isNumber(right)) return calculate(operator, left, right);
  if (operator === '%' && isStr(left)) return formatPercent(left, right);
  if (left instanceof Undefined) left.raise();
  if (right instanceof Undefined) right.raise();
  if (operator === '+') return add(left, right);
  if (operator === '*') {
    if (isInteger(left) || typeof left === 'boolean') return repeat(right, toIndex(left)) ?? unsupported(operator, left, right);
    if (isInteger(right) || typeof right === 'boolean') return repeat(left, toIndex(right)) ?? unsupported(operator, left, right);
    if (isStr(left) || isList(left)) throw typeError(`can't multiply sequence by non-int of type '${typeName(right)}'`);
  }
  return unsupported(operator, left, right);
}

function joined(left: Str, right: Str): Str {
  if (typeof left !== 'string' || typeof right !== 'string') return concatenate(left, right);
  if (left.length + right.length > LONGEST_TEXT_UTF16) throw new PythonError('MemoryError', `a text grew beyond ${LONGEST_TEXT_UTF16} UTF-16 units`);
  return left + right;
}

function add(left: Value, right: Value): Value {
  if (isStr(left)) throw typeError(`can only concatenate str (not "${typeName(right)}") to str`);
  if (isList(left)) {
    if (!isList(right)) throw typeError(`can only concatenate list (not "${typeName(right)}") to list`);
    spend(left.length + right.length);
    return [...left, ...right];
  }
  if (left instanceof Tuple) {
    if (!(right instanceof Tuple)) throw typeError(`can only concatenate tuple (not "${typeName(right)}") to tuple`);
    spend(left.items.length + right.items.length);
    return new Tuple([...left.items, ...right.items]);
  }
  return unsupported('+', left, right);
}

function repeat(value: Value, times: number): Value | undefined {
  const count = Math.max(0, times);
  if (isStr(value)) {
    const { length } = textOf(value);
    if (length * count > LONGEST_TEXT_UTF16) throw new PythonError('MemoryError', `a text grew beyond ${LONGEST_TEXT_UTF16} UTF-16 units`);
    spendText(length * count);
    if (typeof value === 'string') return value.repeat(count);
    const into = new TextBuilder();
    for (let index = 0; index < count; index++) into.add(value);
    return into.build();
  }
  if (isList(value)) return repeatItems(value, count);
  return value instanceof Tuple ? new Tuple(repeatItems(value.items, count)) : undefined;
}

function repeatItems(items: readonly Value[], count: number): readonly Value[] {
  spend(items.length * count);
  const repeated: Value[] = [];
  for (let index = 0; index < (items.length === 0 ? 0 : count); index++) for (const item of items) repeated.push(item);
  return repeated;
}

function unsupported(operator: BinaryOperator, left: Value, right: Value): never {
  throw typeError(`unsupported operand type(s) for ${operator === '**' ? '** or pow()' : operator}: '${typeName(left)}' and '${typeName(right)}'`);
}

/** `-value` and `+value` */
export function signed(sign: '-' | '+', value: Value): Value {
  if (value instanceof Undefined) value.raise();
  if (!isNumber(value)) throw typeError(`bad operand type for unary ${sign}: '${typeName(value)}'`);
  if (value instanceof Float) return sign === '-' ? new Float(-value.value) : value;
  return calculate(sign, 0, value);
}
