import { Buffer, isUtf8 } from 'node:buffer';
import type { Diagnostic, SourceFile, SourcePosition } from '@turnwright/contracts';
import { findRaw, valueEnd } from '../json-lines/raw-json.js';
import { salvageJson, withoutBareNumbers } from './salvage.js';

/** A JSON document with its text. */
export interface JsonDocument {
  readonly value: unknown;
  readonly json: string;
  readonly validUtf8: boolean;
  /** Where the file broke off, or went wrong, in UTF-16 units of `json`; undefined for a whole one. */
  readonly brokenAt: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a character of `json` stands in the file. Cheapest when asked in rising order. */
  positionOf(index: number): SourcePosition;
}

/**
 * Reads a file that is one JSON document.
 *
 * A document that was cut keeps the items before the cut; NaN and Infinity, which Python writes, become null.
 */
export async function readDocument(source: SourceFile): Promise<JsonDocument> {
  const bytes = Buffer.from(await source.slice(0, source.sizeBytes));
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return documentOf(bytes.subarray(marked ? 3 : 0), source.path, marked ? 3 : 0);
}

/** A document from its bytes; `start` is where they stand in the file. */
export function documentOf(bytes: Uint8Array, file: string, start = 0): JsonDocument {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const validUtf8 = isUtf8(buffer);
  const text = buffer.toString('utf8');
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string, index: number, severity: Diagnostic['severity'] = 'warning'): void => {
    diagnostics.push({ severity, code, message, ...positions(text, file, start)(index) });
  };
  if (!validUtf8) report('invalid-utf8', 'Expected UTF-8, found other bytes; they became U+FFFD.', 0);
  const trimmed = text.replace(/[\0\s]+$/, '');
  if (trimmed.length + 1 < text.length && text.includes('\0', trimmed.length)) report('nul-bytes', 'Expected the end of the document, found zero bytes; they were skipped.', trimmed.length);
  const whole = parsed(trimmed) ?? parsedWithoutNumbers(trimmed, report);
  if (whole !== undefined) return { ...whole, validUtf8, brokenAt: undefined, diagnostics, positionOf: positions(whole.json, file, start) };
  const salvaged = salvageJson(trimmed);
  const rest = parsed(salvaged.json);
  report(salvaged.isCut ? 'truncated-document' : 'bad-document', `Expected a whole JSON document, found an end or an error at character ${salvaged.brokenAt}; what stands before it is kept.`, salvaged.brokenAt, 'error');
  return { value: rest?.value, json: salvaged.json, validUtf8, brokenAt: salvaged.brokenAt, diagnostics, positionOf: positions(salvaged.json, file, start) };
}

/** The items of a list as JSON text with their place, found in one walk. */
export function rawItems(json: string, path: readonly (string | number)[]): { readonly json: string; readonly start: number }[] {
  const list = findRaw(json, path);
  const items: { json: string; start: number }[] = [];
  if (list === undefined || json[list.start] !== '[') return items;
  let at = list.start + 1;
  while (at < list.end) {
    while (' \n\r\t,'.includes(json[at] ?? '?')) at++;
    if (json[at] === ']' || at >= list.end) break;
    const end = valueEnd(json, at);
    if (end < 0) break;
    items.push({ json: json.slice(at, end), start: at });
    at = end;
  }
  return items;
}

function parsed(json: string): { readonly value: unknown; readonly json: string } | undefined {
  try {
    return { value: JSON.parse(json) as unknown, json };
  } catch {
    return undefined;
  }
}

function parsedWithoutNumbers(json: string, report: (code: string, message: string, index: number) => void): { readonly value: unknown; readonly json: string } | undefined {
  const without = withoutBareNumbers(json);
  const whole = without === undefined ? undefined : parsed(without.json);
  if (whole !== undefined && without !== undefined) report('bare-number', 'Expected a JSON number, found NaN or Infinity; it became null.', without.first);
  return whole;
}

function positions(json: string, file: string, start: number): (index: number) => SourcePosition {
  let known = { index: 0, line: 0, byteOffset: start };
  return (index) => {
    if (index < known.index) known = { index: 0, line: 0, byteOffset: start };
    const between = json.slice(known.index, index);
    let line = known.line;
    for (let at = between.indexOf('\n'); at >= 0; at = between.indexOf('\n', at + 1)) line++;
    known = { index, line, byteOffset: known.byteOffset + Buffer.byteLength(between) };
    return { file, line: known.line, byteOffset: known.byteOffset };
  };
}
