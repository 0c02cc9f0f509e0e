import { Buffer } from 'node:buffer';
import type { Diagnostic, SourceFile } from '@turnwright/contracts';
import { splitLines } from '../json-lines/lines.js';
import { isObject, readRecords } from '../json-lines/records.js';
import type { JsonObject } from '../json-lines/records.js';
import { findRaw, valueEnd } from '../json-lines/raw-json.js';

/** One conversation of a file. */
export interface Row {
  readonly ordinal: number;
  readonly value: JsonObject;
  /** The row's JSON text. */
  readonly json: string;
  /** The list of messages as JSON text, and as values. */
  readonly messagesJson: string;
  readonly messages: readonly unknown[];
  readonly line: number;
  readonly byteOffset: number;
}

/** Rows and the faults between them, in file order. */
export type RowOrFault = { readonly row: Row } | { readonly fault: Diagnostic };

/** Reads JSON lines, or one JSON document: a row, a list of rows, or a bare list of messages. */
export async function* readRows(source: SourceFile): AsyncGenerator<RowOrFault> {
  let ordinal = 0;
  const cut: Buffer[] = [];
  for await (const line of splitLines(source.stream())) {
    if (ordinal === 0 && (cut.length > 0 || opensDocument(line.bytes))) {
      cut.push(Buffer.from(line.bytes), Buffer.from('\n'));
      continue;
    }
    const { records, diagnostics } = readRecords(line, source.path);
    for (const fault of diagnostics) yield { fault };
    for (const record of records) if (record.value !== undefined) yield rowOf(record.value, record.text, ordinal++, record.line, record.byteOffset, source.path);
  }
  if (cut.length > 0) yield* documentRows(Buffer.concat(cut).toString('utf8'), source.path);
}

/** A first line that is a list, or only the start of an object, belongs to one document over several lines. */
function opensDocument(first: Buffer): boolean {
  const text = first.toString('utf8').trim();
  if (text === '') return false;
  return text.startsWith('[') || (text.startsWith('{') && valueEnd(text, 0) < 0 && text.length < 256 && !text.includes('"role"'));
}

function* documentRows(json: string, path: string): Generator<RowOrFault> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const message = `Expected a JSON document, found: ${error instanceof Error ? error.message : String(error)}.`;
    yield { fault: { severity: 'error', code: 'bad-document', message, file: path, line: 0, byteOffset: 0 } };
    return;
  }
  if (isObject(value)) {
    yield rowOf(value, json, 0, 0, 0, path);
    return;
  }
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (items.every((item) => isObject(item) && ('role' in item || ('from' in item && 'value' in item)))) {
    if (items.length > 0) yield { row: { ordinal: 0, value: {}, json, messagesJson: json, messages: items, line: 0, byteOffset: 0 } };
    return;
  }
  for (const [index, item] of items.entries()) {
    const span = findRaw(json, [index]);
    const offset = Buffer.byteLength(json.slice(0, span?.start ?? 0));
    if (isObject(item) && span !== undefined) yield rowOf(item, json.slice(span.start, span.end), index, 0, offset, path);
    else yield { fault: badRow('Expected an object with messages, found another JSON value.', 0, offset, path) };
  }
}

function rowOf(value: JsonObject, json: string, ordinal: number, line: number, byteOffset: number, path: string): RowOrFault {
  for (const key of ['messages', 'trajectory', 'conversation', 'conversations']) {
    const list = value[key];
    if (Array.isArray(list)) {
      const span = findRaw(json, [key]);
      return { row: { ordinal, value, json, messagesJson: json.slice(span?.start, span?.end), messages: list, line, byteOffset } };
    }
    const nested = typeof list === 'string' ? parsedList(list) : undefined;
    if (nested !== undefined && typeof list === 'string') return { row: { ordinal, value, json, messagesJson: list, messages: nested, line, byteOffset } };
  }
  return { fault: badRow('Expected a list of messages under "messages" or "trajectory", found none.', line, byteOffset, path) };
}

function parsedList(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function badRow(message: string, line: number, byteOffset: number, file: string): Diagnostic {
  return { severity: 'error', code: 'bad-row', message, file, line, byteOffset };
}
