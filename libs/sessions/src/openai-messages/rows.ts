import type { Diagnostic, SourceFile } from '@turnwright/contracts';
import { splitLines } from '../json-lines/lines.js';
import type { JsonDocument } from '../common/document.js';
import { rawItems, readDocument } from '../common/document.js';
import { opensOneDocument } from '../common/one-document.js';
import { isObject, readRecords } from '../json-lines/records.js';
import type { JsonObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';

/** One conversation of a file. */
export interface Row {
  readonly ordinal: number;
  readonly value: JsonObject;
  /** The row's JSON text. */
  readonly json: string;
  /** The list of messages as JSON text, and as values. */
  readonly messagesJson: string;
  readonly messages: readonly unknown[];
  readonly validUtf8: boolean;
  readonly line: number;
  readonly byteOffset: number;
}

/** Rows and the faults between them, in file order. */
export type RowOrFault = { readonly row: Row } | { readonly fault: Diagnostic };

/** Reads JSON lines, or one JSON document: a row, a list of rows, or a bare list of messages. */
export async function* readRows(source: SourceFile): AsyncGenerator<RowOrFault> {
  if (await opensOneDocument(source)) {
    yield* documentRows(await readDocument(source), source.path);
    return;
  }
  let ordinal = 0;
  for await (const line of splitLines(source.stream())) {
    const { records, diagnostics } = readRecords(line, source.path);
    for (const fault of diagnostics) yield { fault };
    for (const record of records) if (record.value !== undefined) yield rowOf(record.value, record.text, ordinal++, record, source.path);
  }
}

function* documentRows(document: JsonDocument, path: string): Generator<RowOrFault> {
  for (const fault of document.diagnostics) yield { fault };
  const { value, json, validUtf8 } = document;
  const root = { ...document.positionOf(0), validUtf8 };
  if (isObject(value)) {
    yield rowOf(value, json, 0, root, path);
    return;
  }
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (items.every((item) => isObject(item) && ('role' in item || ('from' in item && 'value' in item)))) {
    if (items.length > 0) yield { row: { ordinal: 0, value: {}, json, messagesJson: json, messages: items, ...root } };
    return;
  }
  for (const [index, raw] of rawItems(json, []).entries()) {
    const item = items[index];
    const place = { ...document.positionOf(raw.start), validUtf8 };
    if (isObject(item)) yield rowOf(item, raw.json, index, place, path);
    else yield { fault: badRow('Expected an object with messages, found another JSON value.', place.line, place.byteOffset, path) };
  }
}

/** Where a row stands. */
interface Place {
  readonly line: number;
  readonly byteOffset: number;
  readonly validUtf8: boolean;
}

function rowOf(value: JsonObject, json: string, ordinal: number, { line, byteOffset, validUtf8 }: Place, path: string): RowOrFault {
  for (const key of ['messages', 'trajectory', 'conversation', 'conversations']) {
    const list = value[key];
    if (Array.isArray(list)) {
      const span = findRaw(json, [key]);
      return { row: { ordinal, value, json, messagesJson: json.slice(span?.start, span?.end), messages: list, line, byteOffset, validUtf8 } };
    }
    const nested = typeof list === 'string' ? parsedList(list) : undefined;
    if (nested !== undefined && typeof list === 'string') return { row: { ordinal, value, json, messagesJson: list, messages: nested, line, byteOffset, validUtf8 } };
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
