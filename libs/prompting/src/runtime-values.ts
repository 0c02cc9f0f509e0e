import { runtime, isDict, isList, isString, type RuntimeValue } from './jinja-library.js';
import { JsonNumber, type JsonValue } from './json-value.js';
import { floatRepr, numberRepr, stringRepr } from './python-text.js';

const lexemes = new WeakMap<RuntimeValue, string>();

/** A JSON value as a template sees it; `text` is applied to every string that is not a key. */
export function toRuntimeValue(value: JsonValue, text: (value: string) => string = (same) => same): RuntimeValue {
  if (value === null) return runtime.none();
  if (typeof value === 'boolean') return runtime.boolean(value);
  if (typeof value === 'string') return runtime.string(text(value));
  if (value instanceof JsonNumber) return numberValue(value.lexeme);
  if (value instanceof Map) return runtime.dict(new Map([...value].map(([key, entry]: [string, JsonValue]) => [key, toRuntimeValue(entry, text)])));
  return runtime.list((value as readonly JsonValue[]).map((item) => toRuntimeValue(item, text)));
}

function numberValue(lexeme: string): RuntimeValue {
  const number = /^-?[0-9]+$/.test(lexeme) ? runtime.integer(Number(lexeme)) : runtime.float(Number(lexeme));
  lexemes.set(number, lexeme);
  return number;
}

/** `repr` of a number: from its lexeme where it came from JSON, since an integer may be too large for a JavaScript number. */
export function printNumber(value: RuntimeValue): string {
  const lexeme = lexemes.get(value);
  if (lexeme !== undefined) return numberRepr(lexeme);
  return value.type === 'FloatValue' ? floatRepr(value.value as number) : BigInt(value.value as number).toString();
}

/** Python's `str(value)`, as `{{ value }}` prints it; what is undefined prints nothing. */
export function pythonStr(value: RuntimeValue): string {
  if (isString(value)) return value.value;
  return value.type === 'UndefinedValue' ? '' : pythonRepr(value);
}

function pythonRepr(value: RuntimeValue): string {
  if (isString(value)) return stringRepr(value.value);
  if (value.type === 'NullValue') return 'None';
  if (value.type === 'BooleanValue') return value.value === true ? 'True' : 'False';
  if (value.type === 'IntegerValue' || value.type === 'FloatValue') return printNumber(value);
  if (isDict(value)) return `{${[...value.value].map(([key, entry]) => `${stringRepr(key)}: ${pythonRepr(entry)}`).join(', ')}}`;
  if (value.type === 'TupleValue' && isList(value)) return `(${value.value.map(pythonRepr).join(', ')}${value.value.length === 1 ? ',' : ''})`;
  if (isList(value)) return `[${value.value.map(pythonRepr).join(', ')}]`;
  throw new Error(`a ${value.type} cannot be printed`);
}
