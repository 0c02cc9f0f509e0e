import type { DataText } from './data-text.js';

/** A text: a plain string was written by the template; a DataText holds text of the request. */
export type Str = string | DataText;

/**
 * A Python value while a template runs.
 *
 * int is a number while it is exact and a bigint beyond; list is an array. Nothing here is ever changed after it was made, but namespaces.
 */
export type Value = null | boolean | number | bigint | Str | readonly Value[] | Float | Tuple | Dict | DictView | Generator | Undefined | Namespace | Callable | HasAttributes;

export class Float {
  constructor(readonly value: number) {}
}

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** What `groupby` gives: a tuple whose parts have names. */
export class Group extends Tuple {
  constructor(readonly grouper: Value, readonly list: readonly Value[]) {
    super([grouper, list]);
  }
}

export interface DictEntry {
  readonly key: Value;
  readonly value: Value;
}

/** What a key is found by: its text, its number, None, or a tuple's repr. */
export type DictKey = string | number | bigint | symbol | null;

/** A mapping in insertion order, also of integer-like keys. */
export class Dict {
  readonly entries = new Map<DictKey, DictEntry>();

  get(name: string): Value | undefined {
    return this.entries.get(name)?.value;
  }

  /** The first key that was equal stays, as in Python. */
  set(lookup: DictKey, key: Value, value: Value): void {
    const known = this.entries.get(lookup);
    this.entries.set(lookup, { key: known === undefined ? key : known.key, value });
  }
}

/** What `keys()`, `values()` and `items()` return. */
export class DictView {
  constructor(readonly kind: 'dict_keys' | 'dict_values' | 'dict_items', readonly items: readonly Value[]) {}
}

/** What lazy filters return: it can be walked once, and has no length. */
export class Generator {
  private used = false;

  constructor(private readonly source: readonly Value[]) {}

  take(): readonly Value[] {
    const items = this.used ? [] : this.source;
    this.used = true;
    return items;
  }
}

/** What a name or an attribute that is not there gives; most uses of it raise. */
export class Undefined {
  constructor(private readonly message: string, private readonly type: PythonErrorType = 'UndefinedError') {}

  raise(): never {
    throw new PythonError(this.type, this.message);
  }
}

export class Namespace {
  readonly attributes = new Map<string, Value>();
}

export type Arguments = readonly Value[];
export type Keywords = ReadonlyMap<string, Value>;

export class Callable {
  /** `definition` is the same for functions that do the same; absent when the function has a state. */
  constructor(readonly name: string, readonly call: (args: Arguments, keywords: Keywords) => Value, readonly definition?: object) {}
}

/** An object of the engine's own with attributes: `loop`, a cycler, a joiner. */
export interface HasAttributes {
  readonly typeName: string;
  attribute(name: string): Value | undefined;
}

export type PythonErrorType = 'TypeError' | 'ValueError' | 'KeyError' | 'IndexError' | 'ZeroDivisionError' | 'OverflowError' | 'MemoryError' | 'RecursionError' | 'UndefinedError' | 'SecurityError' | 'TemplateError' | 'TemplateSyntaxError' | 'TemplateRuntimeError' | 'FilterArgumentError' | 'UnicodeEncodeError';

/** An error that Python would raise, with Python's words. */
export class PythonError extends Error {
  constructor(readonly type: PythonErrorType, message: string) {
    super(message);
  }
}

export function typeError(message: string): PythonError {
  return new PythonError('TypeError', message);
}

/** `value`, or what stands in for it where there is none; None is a value. */
export function orElse(value: Value | undefined, otherwise: () => Value): Value {
  return value === undefined ? otherwise() : value;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
