import type { Buffer } from 'node:buffer';
import { isAscii, isUtf8 } from 'node:buffer';
import type { Diagnostic } from '@turnwright/contracts';
import type { Line } from './lines.js';
import { valueEnd, withoutMember } from './raw-json.js';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What was found where, in a line of records. */
export interface FoundRecord {
  /** The record; undefined when only a piece of it is left. */
  readonly value: JsonObject | undefined;
  /** Its JSON text, or the piece. */
  readonly text: string;
  readonly line: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** False when the text holds replacement characters for bytes that are no UTF-8. */
  readonly validUtf8: boolean;
}

export interface LineRecords {
  readonly records: readonly FoundRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The records of a line: normally one, but two when a line end was lost, and a piece when a record was cut.
 *
 * A writer that is killed, or two that append at once, leave `{…}{…}` and `{…"mess{…}` (anthropics/claude-code#81843); resuming there
 * silently truncates. Whole records are kept, a piece is reported, and one diagnostic names what happened. Members named in `ignored` may
 * be missing from values.
 */
export function readRecords(line: Line, file: string, ignored: readonly string[] = []): LineRecords {
  const { bytes, findings } = withoutZeros(line, file);
  if (bytes.length === 0 || isBlank(bytes)) return { records: [], diagnostics: findings };
  const start = line.byteOffset + bytes.byteOffset - line.bytes.byteOffset;
  const ascii = isAscii(bytes);
  const validUtf8 = ascii || isUtf8(bytes);
  if (!validUtf8) findings.push(finding('invalid-utf8', 'Expected UTF-8, found other bytes; they became U+FFFD.', line, start, file));
  const text = bytes.toString(ascii ? 'latin1' : 'utf8');
  const value = parseRecord(text, ignored);
  if (value !== undefined) {
    const record = { value, text, line: line.ordinal, byteOffset: start, byteLength: bytes.length, validUtf8 };
    return { records: [record], diagnostics: findings };
  }
  if (isJson(text)) {
    findings.push(finding('not-a-record', 'Expected a JSON object, found another JSON value; it was skipped.', line, start, file));
    return { records: [], diagnostics: findings };
  }
  return salvage(line, bytes, start, file, findings);
}

/** A NUL block is what some file systems leave after a crash, before, after or instead of a record. */
function withoutZeros(line: Line, file: string): { bytes: Buffer; findings: Diagnostic[] } {
  const { bytes } = line;
  if (bytes[0] !== 0 && bytes[bytes.length - 1] !== 0) return { bytes, findings: [] };
  if (bytes.length === 0) return { bytes, findings: [] };
  let start = 0;
  let end = bytes.length;
  while (start < end && bytes[start] === 0) start++;
  while (end > start && bytes[end - 1] === 0) end--;
  const zeros = bytes.length - (end - start);
  const message = `Expected a record, found ${zeros} zero bytes; they were skipped.`;
  return { bytes: bytes.subarray(start, end), findings: [finding('nul-bytes', message, line, line.byteOffset, file)] };
}

function salvage(line: Line, bytes: Buffer, start: number, file: string, findings: Diagnostic[]): LineRecords {
  // Latin-1 maps a byte to a character, so every index below is a byte offset; JSON's own characters are ASCII.
  const text = bytes.toString('latin1');
  const spans = recordSpans(text);
  const records = spans.map((span): FoundRecord => {
    const slice = bytes.subarray(span.start, span.end);
    const utf8 = slice.toString('utf8');
    return { value: span.whole ? parsedObject(utf8) : undefined, text: utf8, line: line.ordinal, byteOffset: start + span.start, byteLength: slice.length, validUtf8: isUtf8(slice) };
  });
  const piece = records.find((record) => record.value === undefined);
  const whole = records.filter((record) => record.value !== undefined).length;
  if (piece === undefined) {
    const second = records[1] ?? records[0];
    findings.push(finding('glued-records', `Expected one record, found ${records.length} without a line end between them; all are kept.`, line, second?.byteOffset ?? start, file));
  } else if (!line.terminated && piece === records.at(-1)) {
    findings.push(finding('truncated-tail', `Expected a whole record, found ${piece.byteLength} bytes of one at the end of the file.`, line, piece.byteOffset, file));
  } else {
    findings.push(finding('cut-record', `Expected a whole record, found ${piece.byteLength} bytes of one; ${whole} whole on the same line kept.`, line, piece.byteOffset, file));
  }
  return { records, diagnostics: findings };
}

interface RecordSpan {
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

function recordSpans(text: string): RecordSpan[] {
  const spans: RecordSpan[] = [];
  const work = { left: text.length * 24 + 4096 };
  let at = 0;
  while (at < text.length) {
    const end = wholeRecordEnd(text, at, work);
    const next = end > 0 ? end : nextRecordStart(text, at + 1, work);
    spans.push({ start: at, end: next, whole: end > 0 });
    at = next;
    while (at < text.length && ' \t\r\0'.includes(text[at] ?? '')) at++;
  }
  return spans;
}

/** The first place at which a record starts whose rest reads as records; the text's end when there is none. */
function nextRecordStart(text: string, from: number, work: { left: number }): number {
  // A record of Claude Code starts like this; an object inside a cut record does not, so these are tried first.
  for (const marker of ['{"parentUuid"', '{"']) {
    for (let at = text.indexOf(marker, from); at >= 0 && work.left > 0; at = text.indexOf(marker, at + 1)) {
      const end = wholeRecordEnd(text, at, work);
      if (end > 0 && (end === text.length || text.startsWith('{"', end) || text.slice(end, end + 64).trim() === '')) return at;
    }
  }
  return text.length;
}

/** Bounded by `work`, so that a line full of openers costs linear time. */
function wholeRecordEnd(text: string, at: number, work: { left: number }): number {
  if (text[at] !== '{' || work.left <= 0) return -1;
  const end = valueEnd(text, at);
  work.left -= (end < 0 ? text.length : end) - at;
  return end > 0 && parsedObject(text.slice(at, end)) !== undefined ? end : -1;
}

/** Parses a record, stepping over members that nobody reads. */
export function parseRecord(text: string, ignored: readonly string[]): JsonObject | undefined {
  const shorter = text.length < WORTH_CUTTING ? text : ignored.reduce(withoutMember, text);
  return (shorter === text ? undefined : parsedObject(shorter)) ?? parsedObject(text);
}

const WORTH_CUTTING = 2048;

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A JSON object and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function finding(code: string, message: string, line: Line, byteOffset: number, file: string): Diagnostic {
  return { severity: 'warning', code, message, file, line: line.ordinal, byteOffset };
}
