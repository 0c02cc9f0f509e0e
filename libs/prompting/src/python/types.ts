import { isStr } from './data-text.js';
import { Callable, Dict, DictView, Float, Generator, isList, Namespace, Tuple, Undefined, type Value } from './values.js';

/** `type(value).__name__` */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (isStr(value)) return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'int';
  if (value instanceof Float) return 'float';
  if (value instanceof Dict) return 'dict';
  if (isList(value)) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof DictView) return value.kind;
  if (value instanceof Generator) return 'generator';
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Namespace) return 'Namespace';
  if (value instanceof Callable) return 'function';
  return value.typeName;
}

/** How Jinja names an object in its messages. */
export function objectName(value: Value): string {
  if (value === null) return 'None';
  if (value instanceof Namespace) return 'jinja2.utils.Namespace object';
  return `${typeName(value)} object`;
}

export function isInteger(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** An int, a bool or a float. */
export function isNumber(value: Value): value is number | bigint | boolean | Float {
  return isInteger(value) || typeof value === 'boolean' || value instanceof Float;
}

/** `bool(value)` */
export function truthy(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === 'string') return value !== '';
  if (isStr(value)) return value.text !== '';
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return value !== 0n;
  if (value instanceof Float) return value.value !== 0;
  if (isList(value)) return value.length > 0;
  if (value instanceof Dict) return value.entries.size > 0;
  if (value instanceof Tuple || value instanceof DictView) return value.items.length > 0;
  return true;
}
