import { isDict, isList, isString, runtime, type RuntimeFunction, type RuntimeString, type RuntimeValue } from './jinja-library.js';
import { dumpJson, type DumpOptions } from './python-json.js';
import { pythonStr } from './runtime-values.js';
import { strip, stripEnd, stripStart } from './python-text.js';

/** Names that no template can spell, under which the rewritten tree calls these. */
export const PYTHON = { method: 'python.method:', filter: 'python.filter:', str: 'python.str', add: 'python.add', concat: 'python.concat', contains: 'python.contains' } as const;

export const PYTHON_METHODS = ['strip', 'lstrip', 'rstrip', 'startswith', 'endswith', 'split'] as const;
export const PYTHON_FILTERS = ['trim', 'tojson', 'string', 'length', 'count', 'items'] as const;

/**
 * Operations that @huggingface/jinja does otherwise than Python.
 *
 * What looks into a string does not see sentinels, so that a template decides as it would without them.
 */
export function pythonFunctions(sentinel: string | undefined): ReadonlyMap<string, RuntimeFunction> {
  const plain = (text: string): string => (sentinel === undefined ? text : text.replaceAll(sentinel, ''));
  const methods: Record<(typeof PYTHON_METHODS)[number], (text: string, args: readonly RuntimeValue[]) => RuntimeValue> = {
    strip: (text, [characters]) => runtime.string(strip(text, charactersOf(characters))),
    lstrip: (text, [characters]) => runtime.string(stripStart(text, charactersOf(characters))),
    rstrip: (text, [characters]) => runtime.string(stripEnd(text, charactersOf(characters))),
    startswith: (text, [prefixes]) => runtime.boolean(textsOf(prefixes).some((prefix) => plain(text).startsWith(plain(prefix)))),
    endswith: (text, [suffixes]) => runtime.boolean(textsOf(suffixes).some((suffix) => plain(text).endsWith(plain(suffix)))),
    split: (text, [separator, limit]) => runtime.list(split(text, separator, limit, sentinel).map(runtime.string)),
  };
  const filters: Record<(typeof PYTHON_FILTERS)[number], RuntimeFunction> = {
    trim: ([value, characters]) => runtime.string(strip(pythonStr(value ?? runtime.undefined()), charactersOf(characters))),
    tojson: ([value, ...options]) => runtime.string(dumpJson(value ?? runtime.undefined(), dumpOptions(options))),
    string: ([value]) => runtime.string(pythonStr(value ?? runtime.undefined())),
    length: ([value]) => length(value, plain),
    count: ([value]) => length(value, plain),
    items: ([value]) => items(value),
  };
  return new Map<string, RuntimeFunction>([
    ...Object.entries(methods).map(([name, body]) => [PYTHON.method + name, ([self, ...args]: readonly RuntimeValue[]) => body(selfText(self, name), args)] as const),
    ...Object.entries(filters).map(([name, body]) => [PYTHON.filter + name, body] as const),
    [PYTHON.str, ([value]) => runtime.string(pythonStr(value ?? runtime.undefined()))],
    [PYTHON.concat, (values) => runtime.string(values.map(pythonStr).join(''))],
    [PYTHON.add, ([left, right]) => add(left, right)],
    [PYTHON.contains, ([needle, hay]) => runtime.boolean(contains(needle, hay, plain))],
  ]);
}

function selfText(self: RuntimeValue | undefined, method: string): string {
  if (!isString(self)) throw new Error(`'${typeName(self)}' object has no attribute '${method}'`);
  return self.value;
}

function charactersOf(value: RuntimeValue | undefined): string | undefined {
  if (value === undefined || value.type === 'NullValue') return undefined;
  if (!isString(value)) throw new Error(`strip arg must be None or str, not ${typeName(value)}`);
  return value.value;
}

function textsOf(value: RuntimeValue | undefined): readonly string[] {
  const values: readonly (RuntimeValue | undefined)[] = isList(value) ? value.value : [value];
  if (!values.every((entry): entry is RuntimeString => isString(entry))) throw new Error('first arg must be str or a tuple of str');
  return values.map((entry) => entry.value);
}

function split(text: string, separator: RuntimeValue | undefined, limit: RuntimeValue | undefined, sentinel: string | undefined): string[] {
  const most = limit?.type === 'IntegerValue' && (limit.value as number) >= 0 ? (limit.value as number) : Infinity;
  const between = isString(separator) ? separatorPattern(separator.value, sentinel) : /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
  const rest = isString(separator) ? text : stripStart(text);
  const parts: string[] = [];
  let start = 0;
  for (const match of rest.matchAll(between)) {
    if (parts.length >= most) break;
    parts.push(rest.slice(start, match.index));
    start = match.index + match[0].length;
  }
  parts.push(rest.slice(start));
  return isString(separator) || parts.at(-1) !== '' ? parts : parts.slice(0, -1);
}

function separatorPattern(separator: string, sentinel: string | undefined): RegExp {
  if (separator === '') throw new Error('empty separator');
  const characters = [...separator].map((character) => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(characters.join(sentinel === undefined ? '' : `${sentinel}?`), 'gu');
}

function length(value: RuntimeValue | undefined, plain: (text: string) => string): RuntimeValue {
  if (isString(value)) return runtime.integer([...plain(value.value)].length);
  if (isList(value)) return runtime.integer(value.value.length);
  if (isDict(value)) return runtime.integer(value.value.size);
  throw new Error(`object of type '${typeName(value)}' has no len()`);
}

function items(value: RuntimeValue | undefined): RuntimeValue {
  if (value?.type === 'UndefinedValue') return runtime.list([]);
  if (!isDict(value)) throw new Error('Can only get item pairs from a mapping.');
  return runtime.list([...value.value].map(([key, entry]) => runtime.list([runtime.string(key), entry])));
}

function add(left: RuntimeValue | undefined, right: RuntimeValue | undefined): RuntimeValue {
  if (isString(left) && isString(right)) return runtime.string(left.value + right.value);
  if (isList(left) && isList(right)) return runtime.list([...left.value, ...right.value]);
  const [a, b] = [left?.value, right?.value];
  if (typeof a === 'number' && typeof b === 'number') return left?.type === 'FloatValue' || right?.type === 'FloatValue' ? runtime.float(a + b) : runtime.integer(a + b);
  if (isString(left)) throw new Error(`can only concatenate str (not "${typeName(right)}") to str`);
  throw new Error(`unsupported operand type(s) for +: '${typeName(left)}' and '${typeName(right)}'`);
}

function contains(needle: RuntimeValue | undefined, hay: RuntimeValue | undefined, plain: (text: string) => string): boolean {
  if (isString(hay)) {
    if (!isString(needle)) throw new Error(`'in <string>' requires string as left operand, not ${typeName(needle)}`);
    return plain(hay.value).includes(plain(needle.value));
  }
  if (isDict(hay)) return isString(needle) && hay.value.has(needle.value);
  if (isList(hay)) return hay.value.some((entry) => (isString(entry) && isString(needle) ? plain(entry.value) === plain(needle.value) : entry.value === needle?.value));
  if (hay?.type === 'UndefinedValue') return false;
  throw new Error(`argument of type '${typeName(hay)}' is not iterable`);
}

function dumpOptions(args: readonly RuntimeValue[]): DumpOptions {
  const keywords = args.find((value) => value.type === 'KeywordArgumentsValue');
  const get = (name: string): RuntimeValue | undefined => (isDict(keywords) ? keywords.value.get(name) : undefined);
  const [indent, separators] = [get('indent') ?? args.find((value) => value.type === 'IntegerValue'), get('separators')];
  const pair = isList(separators) ? textsOf(separators) : undefined;
  return {
    ...(indent?.type === 'IntegerValue' ? { indent: ' '.repeat(indent.value as number) } : isString(indent) ? { indent: indent.value } : {}),
    ...(pair !== undefined ? { separators: [pair[0] ?? ', ', pair[1] ?? ': '] as const } : {}),
    sortKeys: get('sort_keys')?.value === true,
    ensureAscii: get('ensure_ascii')?.value === true,
  };
}

const TYPE_NAMES: Readonly<Record<string, string>> = { StringValue: 'str', IntegerValue: 'int', FloatValue: 'float', BooleanValue: 'bool', NullValue: 'NoneType', ArrayValue: 'list', TupleValue: 'tuple', ObjectValue: 'dict', UndefinedValue: 'Undefined' };

function typeName(value: RuntimeValue | undefined): string {
  return TYPE_NAMES[value?.type ?? 'UndefinedValue'] ?? value?.type ?? 'Undefined';
}
