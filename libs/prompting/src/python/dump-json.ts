import { compareValues } from './compare.js';
import { DataText, isStr, respelled, TextBuilder, textOf } from './data-text.js';
import { spend } from './meter.js';
import { DEEPEST_VALUE, PRINTING_STEPS } from './print.js';
import { floatRepr } from './text.js';
import { typeName } from './types.js';
import { Dict, Float, isList, Tuple, typeError, PythonError, type DictEntry, type Str, type Value } from './values.js';

/** The arguments of transformers' `tojson` filter. */
export interface DumpOptions {
  readonly indent?: string;
  readonly separators?: readonly [Str, Str];
  readonly sortKeys?: boolean;
  readonly ensureAscii?: boolean;
}

/**
 * Python's json.dumps, as chat templates print values.
 *
 * source transformers utils/chat_template_utils.py tojson: ensure_ascii=False, and no escapes for HTML
 */
export function dumpJson(value: Value, options?: DumpOptions): Str {
  if (options !== undefined || !(value instanceof Dict)) return dumpAnew(value, options ?? {});
  const before = dumped.get(value);
  if (before !== undefined) return before;
  const text = dumpAnew(value, {});
  if (textOf(text).length >= WORTH_REMEMBERING_UTF16) dumped.set(value, text);
  return text;
}

/** Tools are printed anew in every rendering, and are the same objects in all of them; a template changes none. */
const dumped = new WeakMap<Dict, Str>();
const WORTH_REMEMBERING_UTF16 = 200;

function dumpAnew(value: Value, options: DumpOptions): Str {
  const into = new TextBuilder();
  const separators = options.separators ?? [options.indent === undefined ? ', ' : ',', ': '];
  dump(value, { ...options, separators, into }, 0);
  return into.build();
}

type Sink = DumpOptions & { readonly separators: readonly [Str, Str]; readonly into: TextBuilder };

function dump(value: Value, sink: Sink, depth: number): void {
  spend(PRINTING_STEPS);
  if (depth > DEEPEST_VALUE) throw new PythonError('RecursionError', 'maximum recursion depth exceeded while encoding a JSON object');
  if (isStr(value)) dumpText(value, sink);
  else if (value instanceof Dict) dumpDict(value, sink, depth);
  else if (isList(value)) dumpItems(value, sink, depth);
  else if (value instanceof Tuple) dumpItems(value.items, sink, depth);
  else sink.into.add(scalar(value) ?? notSerializable(value));
}

function scalar(value: Value): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (!(value instanceof Float)) return undefined;
  const text = floatRepr(value.value);
  return NOT_FINITE.get(text) ?? text;
}

const NOT_FINITE: ReadonlyMap<string, string> = new Map([['nan', 'NaN'], ['inf', 'Infinity'], ['-inf', '-Infinity']]);

function notSerializable(value: Value): never {
  throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
}

function dumpDict({ entries }: Dict, sink: Sink, depth: number): void {
  const list: DictEntry[] = [...entries.values()];
  if (sink.sortKeys === true) list.sort((a, b) => compareValues('<', a.key, b.key));
  const { into } = sink;
  into.add('{');
  for (const [index, { key, value }] of list.entries()) {
    if (index > 0) into.add(sink.separators[0]);
    newLine(sink, depth + 1);
    dumpText(isStr(key) ? key : (scalar(key) ?? badKey(key)), sink);
    into.add(sink.separators[1]);
    dump(value, sink, depth + 1);
  }
  if (list.length > 0) newLine(sink, depth);
  into.add('}');
}

function badKey(key: Value): never {
  throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function dumpItems(items: readonly Value[], sink: Sink, depth: number): void {
  const { into } = sink;
  into.add('[');
  for (const [index, item] of items.entries()) {
    if (index > 0) into.add(sink.separators[0]);
    newLine(sink, depth + 1);
    dump(item, sink, depth + 1);
  }
  if (items.length > 0) newLine(sink, depth);
  into.add(']');
}

function newLine({ indent, into }: Sink, depth: number): void {
  if (indent !== undefined) into.add(`\n${indent.repeat(depth)}`);
}

function dumpText(value: Str, { into, ensureAscii }: Sink): void {
  into.add('"');
  const text = textOf(value);
  const body = escapeJson(text, ensureAscii === true);
  into.add(body === text ? value : value instanceof DataText ? respelled(value, body) : body);
  into.add('"');
}

/** Only `"`, the backslash and U+0000 to U+001F are escaped; JSON.stringify would escape lone surrogates too. */
function escapeJson(text: string, ensureAscii: boolean): string {
  const body = text.replace(/["\\\u0000-\u001f]/g, (character) => JSON.stringify(character).slice(1, -1));
  return ensureAscii ? body.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : body;
}
