import { iterate } from '../python/iterate.js';
import { textOf } from '../python/data-text.js';
import { spend } from '../python/meter.js';
import { toIndex } from '../python/numbers.js';
import { toStr } from '../python/print.js';
import { truthy } from '../python/types.js';
import { Callable, Dict, isList, Namespace, PythonError, Tuple, typeError, Undefined, type Arguments, type HasAttributes, type Keywords, type Value } from '../python/values.js';
import { keyOf } from '../python/compare.js';
import { formatTime, parseTime } from './strftime.js';

/** Names that every template finds; a clock only when one is given. */
export function templateGlobals(now: string | undefined): ReadonlyMap<string, Value> {
  const clock = now === undefined ? undefined : parseTime(now);
  return new Map<string, Value>([
    builtIn('raise_exception', raiseException),
    builtIn('range', range),
    builtIn('namespace', namespace),
    builtIn('dict', mappingOf),
    builtIn('joiner', joiner),
    builtIn('cycler', (items) => new Cycler(items)),
    ...(clock === undefined ? [] : [builtIn('strftime_now', ([format = '']) => formatTime(clock, textOf(toStr(format))))]),
  ]);
}

function builtIn(name: string, call: Callable['call']): readonly [string, Callable] {
  return [name, new Callable(name, call, call)];
}

function raiseException([message = null]: Arguments): never {
  throw new PythonError('TemplateError', textOf(toStr(message)));
}

/** The sandbox's own limit. */
const LONGEST_RANGE = 100_000;

function range(args: Arguments): readonly number[] {
  for (const value of args) if (value instanceof Undefined) value.raise();
  if (args.length === 0 || args.length > 3) throw typeError(`range expected at least 1 argument, got ${args.length}`);
  const [first = 0, second, step = 1] = args.map(toIndex);
  const [start, end] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new PythonError('ValueError', 'range() arg 3 must not be zero');
  const count = Math.max(0, Math.ceil((end - start) / step));
  if (count > LONGEST_RANGE) throw new PythonError('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${LONGEST_RANGE}).`);
  spend(count);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function mappingOf(args: Arguments, keywords: Keywords): Dict {
  const dict = new Dict();
  for (const argument of args) {
    if (argument instanceof Dict) for (const [lookup, { key, value }] of argument.entries) dict.set(lookup, key, value);
    else for (const pair of iterate(argument)) {
      const [key = null, value = null] = iterate(pair);
      dict.set(keyOf(key), key, value);
    }
  }
  for (const [name, value] of keywords) dict.set(name, name, value);
  return dict;
}

function namespace(args: Arguments, keywords: Keywords): Namespace {
  const made = new Namespace();
  for (const { key, value } of mappingOf(args, keywords).entries.values()) made.attributes.set(textOf(toStr(key)), value);
  return made;
}

function joiner([separator = ', ']: Arguments): Callable {
  let used = false;
  return new Callable('joiner', () => {
    const text = used ? separator : '';
    used = true;
    return text;
  });
}

class Cycler implements HasAttributes {
  readonly typeName = 'Cycler';
  private place = 0;

  constructor(private readonly items: Arguments) {
    if (items.length === 0) throw new PythonError('TypeError', 'at least one item has to be provided');
  }

  attribute(name: string): Value | undefined {
    if (name === 'current') return this.items[this.place] ?? null;
    if (name === 'reset') return new Callable(name, () => ((this.place = 0), null));
    return name === 'next' ? new Callable(name, () => this.advance()) : undefined;
  }

  private advance(): Value {
    const item = this.items[this.place] ?? null;
    this.place = (this.place + 1) % this.items.length;
    return item;
  }
}

/** Whether a list or tuple; the one shape that unpacking takes apart without walking. */
export function unpack(value: Value, count: number): readonly Value[] {
  const items = value instanceof Tuple ? value.items : isList(value) ? value : iterate(value, `cannot unpack non-iterable ${truthy(value) ? 'object' : 'NoneType object'}`);
  if (items.length > count) throw new PythonError('ValueError', `too many values to unpack (expected ${count})`);
  if (items.length < count) throw new PythonError('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`);
  return items;
}
