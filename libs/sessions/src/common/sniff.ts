import { Buffer } from 'node:buffer';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { valueEnd } from '../json-lines/raw-json.js';

/** What the first bytes of a file look like. */
export interface Sniffed {
  readonly text: string;
  /** JSON objects that stand on a line each, of the first lines. */
  readonly records: readonly JsonObject[];
  /** The members of the one document that the file is, as JSON text that may be cut; empty when it is no object. */
  readonly members: ReadonlyMap<string, string>;
  /** The first item, when the document is a list. */
  readonly firstItem: JsonObject | undefined;
}

const SNIFFED_LINES = 64;
const cache = new WeakMap<Uint8Array, Sniffed>();

/** Looks at the first bytes of a file once, for all readers. */
export function sniffHead(head: Uint8Array): Sniffed {
  const known = cache.get(head);
  if (known !== undefined) return known;
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8').replace(/^\uFEFF/, '');
  const start = text.slice(0, 64).trimStart()[0];
  const sniffed: Sniffed = {
    text,
    records: text.split('\n', SNIFFED_LINES).flatMap((line): JsonObject[] => { const record = parsedObject(line); return record === undefined ? [] : [record]; }),
    members: start === '{' ? membersOf(text, text.indexOf('{')) : new Map<string, string>(),
    firstItem: start === '[' ? firstItemOf(text.slice(text.indexOf('['))) : undefined,
  };
  cache.set(head, sniffed);
  return sniffed;
}

/** The first item of a list that may be cut; the members that are whole when the item itself is cut. */
export function firstItemOf(list: string | undefined): JsonObject | undefined {
  if (list?.[0] !== '[') return undefined;
  const start = list.indexOf('{');
  if (start < 0 || list.slice(1, start).trim() !== '') return undefined;
  const end = valueEnd(list, start);
  return end > 0 ? parsedObject(list.slice(start, end)) : Object.fromEntries(membersOf(list, start));
}

/** Keys and values of an object that may be cut; the value of the last key may be, too. */
function membersOf(text: string, start: number): Map<string, string> {
  const members = new Map<string, string>();
  let at = afterSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = valueEnd(text, at);
    if (keyEnd < 0) break;
    const value = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const end = valueEnd(text, value);
    members.set(text.slice(at + 1, keyEnd - 1), text.slice(value, end < 0 ? text.length : end));
    if (end < 0) break;
    at = afterSpace(text, end);
    if (text[at] !== ',') break;
    at = afterSpace(text, at + 1);
  }
  return members;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? '')) at++;
  return at;
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
