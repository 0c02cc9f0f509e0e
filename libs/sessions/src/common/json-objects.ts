import type { Diagnostic, SourceFile, SourcePosition } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import type { JsonObject } from '../json-lines/records.js';
import { rawItems, readDocument } from './document.js';
import { opensOneDocument } from './one-document.js';
import { readRecordStream } from './record-stream.js';

/** A JSON object of a file with its text. */
export interface FoundObject {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
  readonly ordinal: number;
}

/** The objects of a file: one a line, the items of a list, or the one document. Lines are streamed. */
export async function* readObjects(source: SourceFile, signal: AbortSignal | undefined, onFault: (fault: Diagnostic) => void): AsyncGenerator<FoundObject> {
  let ordinal = 0;
  if (!(await opensOneDocument(source))) {
    for await (const found of readRecordStream(source, signal, onFault)) {
      if (found.value !== undefined) yield { value: found.value, json: found.text, validUtf8: found.validUtf8, position: { file: source.path, line: found.line, byteOffset: found.byteOffset }, ordinal: ordinal++ };
    }
    return;
  }
  const document = await readDocument(source);
  for (const fault of document.diagnostics) onFault(fault);
  if (isObject(document.value)) {
    yield { value: document.value, json: document.json, validUtf8: document.validUtf8, position: document.positionOf(0), ordinal };
    return;
  }
  const items = Array.isArray(document.value) ? (document.value as readonly unknown[]) : [];
  for (const [index, raw] of rawItems(document.json, []).entries()) {
    const value = items[index];
    if (isObject(value)) yield { value, json: raw.json, validUtf8: document.validUtf8, position: document.positionOf(raw.start), ordinal: ordinal++ };
  }
}
