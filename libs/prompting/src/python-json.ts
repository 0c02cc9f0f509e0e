import { isDict, isList, isString, type RuntimeValue } from './jinja-library.js';
import { printNumber } from './runtime-values.js';

/** The arguments of transformers' `tojson` filter. */
export interface DumpOptions {
  readonly indent?: string;
  readonly separators?: readonly [string, string];
  readonly sortKeys?: boolean;
  readonly ensureAscii?: boolean;
}

/**
 * Python's json.dumps, as chat templates print values.
 *
 * source transformers utils/chat_template_utils.py tojson: ensure_ascii=False, and no escapes for HTML
 */
export function dumpJson(value: RuntimeValue, options: DumpOptions = {}, depth = 0): string {
  if (isString(value)) return dumpString(value.value, options);
  if (value.type === 'NullValue') return 'null';
  if (value.type === 'BooleanValue') return String(value.value);
  if (value.type === 'IntegerValue' || value.type === 'FloatValue') return NOT_FINITE.get(printNumber(value)) ?? printNumber(value);
  const [itemSeparator, keySeparator] = options.separators ?? [options.indent === undefined ? ', ' : ',', ': '];
  if (isDict(value)) {
    const entries = options.sortKeys === true ? [...value.value].sort(([a], [b]) => compareCodePoints(a, b)) : [...value.value];
    return wrap('{', '}', entries.map(([key, entry]) => dumpString(key, options) + keySeparator + dumpJson(entry, options, depth + 1)), itemSeparator, options, depth);
  }
  if (isList(value)) return wrap('[', ']', value.value.map((item) => dumpJson(item, options, depth + 1)), itemSeparator, options, depth);
  throw new Error(`Object of type ${value.type === 'UndefinedValue' ? 'Undefined' : value.type} is not JSON serializable`);
}

const NOT_FINITE: ReadonlyMap<string, string> = new Map([['nan', 'NaN'], ['inf', 'Infinity'], ['-inf', '-Infinity']]);

function wrap(open: string, close: string, items: readonly string[], separator: string, { indent }: DumpOptions, depth: number): string {
  if (indent === undefined || items.length === 0) return open + items.join(separator) + close;
  const line = `\n${indent.repeat(depth)}`;
  return `${open}${line}${indent}${items.join(`${separator}${line}${indent}`)}${line}${close}`;
}

/** Only `"`, the backslash and U+0000 to U+001F are escaped; JSON.stringify would escape lone surrogates too. */
function dumpString(text: string, { ensureAscii }: DumpOptions): string {
  const body = text.replace(/["\\\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1));
  return `"${ensureAscii === true ? body.replace(/[\u007f-\uffff]/g, (unit) => (unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)) : body}"`;
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
