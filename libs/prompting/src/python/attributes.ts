import { codePointOffsets } from './code-points.js';
import { keyOf } from './compare.js';
import { DICT_METHODS, FLOAT_METHODS, LIST_METHODS } from './container-methods.js';
import { cut, isStr, textOf } from './data-text.js';
import { spend, spendText } from './meter.js';
import { toIndex } from './numbers.js';
import { toRepr } from './print.js';
import { sliceList } from '../shared-lists.js';
import { TEXT_METHODS } from './text-methods.js';
import { isInteger, objectName, typeName } from './types.js';
import { Callable, Dict, DictView, Float, Generator, Group, isList, Namespace, orElse, PythonError, Tuple, typeError, Undefined, type Arguments, type Keywords, type Str, type Value } from './values.js';

/** Reads one attribute of values; nearly every one is an item of a message, unless a dict has the name itself. */
export function attributeReader(name: string): (value: Value) => Value {
  if (DICT_METHODS.has(name) || DICT_CHANGES.has(name) || HIDDEN.test(name)) return (value) => attributeOf(value, name);
  return (value) => {
    if (value instanceof Dict) {
      const entry = value.entries.get(name);
      return entry === undefined ? missingAttribute(value, name) : entry.value;
    }
    const own = value instanceof Namespace ? value.attributes.get(name) : undefined;
    return own === undefined ? attributeOf(value, name) : own;
  };
}

/** `value.name`: an attribute, then an item, else undefined. */
export function attributeOf(value: Value, name: string): Value {
  const own = ownAttribute(value, name);
  if (own !== undefined) return own;
  return orElse(value instanceof Dict ? value.get(name) : undefined, () => missingAttribute(value, name));
}

/** `value|attr(name)`: an attribute, never an item. */
export function attributeOnly(value: Value, name: string): Value {
  return orElse(ownAttribute(value, name), () => missingAttribute(value, name));
}

/** `value[item]`: an item, then, for a text, an attribute, else undefined. */
export function itemOf(value: Value, item: Value): Value {
  if (value instanceof Dict) {
    const found = isList(item) || item instanceof Dict ? undefined : value.entries.get(keyOf(item))?.value;
    if (found !== undefined) return found;
  } else if (isInteger(item) || typeof item === 'boolean') {
    const found = elementOf(value, toIndex(item));
    if (found !== undefined) return found;
  }
  if (value instanceof Undefined) value.raise();
  if (isStr(item)) return orElse(ownAttribute(value, textOf(item)), () => missingAttribute(value, textOf(item)));
  return new Undefined(`${objectName(value)} has no element ${textOf(toRepr(item))}`);
}

function elementOf(value: Value, index: number): Value | undefined {
  if (isList(value)) return value[index < 0 ? index + value.length : index];
  if (value instanceof Tuple) return value.items[index < 0 ? index + value.items.length : index];
  return isStr(value) ? characterOf(value, index) : undefined;
}

function characterOf(value: Str, index: number): Str | undefined {
  const text = textOf(value);
  spendText(text.length);
  const offsets = codePointOffsets(text);
  spend((offsets?.length ?? 0) >> 2);
  const length = offsets === undefined ? text.length : offsets.length - 1;
  const place = index < 0 ? index + length : index;
  return place < 0 || place >= length ? undefined : cut(value, offsets?.[place] ?? place, offsets?.[place + 1] ?? place + 1);
}

/** `value[start:stop:step]`, which Jinja leaves to Python. */
export function sliceOf(value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Undefined) value.raise();
  if (isStr(value)) return sliceText(value, start, stop, step);
  if (isList(value)) return pick(value, start, stop, step);
  if (value instanceof Tuple) return new Tuple(pick(value.items, start, stop, step));
  throw typeError(value instanceof Dict ? "unhashable type: 'slice'" : `'${typeName(value)}' object is not subscriptable`);
}

function sliceText(value: Str, start: Value, stop: Value, step: Value): Str {
  const text = textOf(value);
  spendText(text.length);
  const offsets = codePointOffsets(text);
  spend((offsets?.length ?? 0) >> 2);
  const length = offsets === undefined ? text.length : offsets.length - 1;
  const range = bounds(length, start, stop, step);
  if (range.step === 1) return cut(value, offsets?.[range.start] ?? range.start, offsets?.[Math.max(range.start, range.stop)] ?? Math.max(range.start, range.stop));
  spend(text.length);
  const characters = Array.from(text);
  return pickFrom(characters, range).join('');
}

function pick(items: readonly Value[], start: Value, stop: Value, step: Value): readonly Value[] {
  const range = bounds(items.length, start, stop, step);
  spend(items.length);
  return range.step === 1 ? sliceList(items, range.start, Math.max(range.start, range.stop)) : pickFrom(items, range);
}

interface Range {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

function bounds(length: number, start: Value, stop: Value, step: Value): Range {
  const stride = step === null ? 1 : toIndex(step);
  if (stride === 0) throw new PythonError('ValueError', 'slice step cannot be zero');
  const place = (value: Value, otherwise: number): number => {
    if (value === null) return otherwise;
    const index = toIndex(value);
    const [low, high] = stride > 0 ? [0, length] : [-1, length - 1];
    return Math.min(Math.max(index < 0 ? index + length : index, low), high);
  };
  return stride > 0 ? { start: place(start, 0), stop: place(stop, length), step: stride } : { start: place(start, length - 1), stop: place(stop, -1), step: stride };
}

function pickFrom<T>(items: readonly T[], { start, stop, step }: Range): T[] {
  const picked: T[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) picked.push(items[index] as T);
  return picked;
}

/** Calls `value.name(args)` without making the bound method, where the type has it; undefined where it has not. */
export function callOwnMethod(value: Value, name: string, args: Arguments, keywords: Keywords): Value | undefined {
  if (isStr(value)) return TEXT_METHODS.get(name)?.(value, args, keywords);
  if (value instanceof Dict) return DICT_METHODS.get(name)?.(value, args, keywords);
  if (isList(value)) return LIST_METHODS.get(name)?.(value, args);
  if (value instanceof Tuple) return LIST_METHODS.get(name)?.(value.items, args);
  return value instanceof Float ? FLOAT_METHODS.get(name)?.(value) : undefined;
}

function ownAttribute(value: Value, name: string): Value | undefined {
  if (value instanceof Undefined) value.raise();
  if (hasMethod(value, name)) return new Callable(name, (args, keywords) => orElse(callOwnMethod(value, name, args, keywords), () => null));
  if (value instanceof Namespace) return value.attributes.get(name);
  const changing = isList(value) ? LIST_CHANGES : value instanceof Dict ? DICT_CHANGES : undefined;
  if (HIDDEN.test(name) || changing?.has(name) === true) return new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`, 'SecurityError');
  if (value instanceof Group) return name === 'grouper' ? value.grouper : name === 'list' ? value.list : undefined;
  if (isPlain(value)) return undefined;
  return value.attribute(name);
}

/** Attributes that every object of Python has and no template may see. */
const HIDDEN = /^__(?:class|dict|doc|init|new|len|iter|call|code|globals|mro|base|bases|subclasses|getitem|getattribute|eq|hash|str|repr|module|reduce|contains|builtins)__$/;
/** What changes a value is refused: everything that a template gets is shared. */
const LIST_CHANGES: ReadonlySet<string> = new Set(['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort']);
const DICT_CHANGES: ReadonlySet<string> = new Set(['clear', 'pop', 'popitem', 'setdefault', 'update']);

function hasMethod(value: Value, name: string): boolean {
  if (isStr(value)) return TEXT_METHODS.has(name);
  if (value instanceof Dict) return DICT_METHODS.has(name);
  if (isList(value) || value instanceof Tuple) return LIST_METHODS.has(name) && !(value instanceof Tuple && name === 'copy');
  return value instanceof Float && FLOAT_METHODS.has(name);
}

type Plain = Exclude<Value, { attribute(name: string): Value | undefined }>;

function isPlain(value: Value): value is Plain {
  return value === null || typeof value !== 'object' || isStr(value) || isList(value) || value instanceof Dict || value instanceof Tuple || value instanceof DictView || value instanceof Float || value instanceof Generator || (value instanceof Callable && !('attribute' in value)) || value instanceof Namespace;
}

function missingAttribute(value: Value, name: string): Undefined {
  return new Undefined(`'${objectName(value)}' has no attribute '${name}'`);
}
