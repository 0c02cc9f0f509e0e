import type { Diagnostic, SourceFile } from '@turnwright/contracts';
import { splitLines } from '../json-lines/lines.js';
import type { FoundRecord, JsonObject } from '../json-lines/records.js';
import { isObject, readRecords } from '../json-lines/records.js';
import type { Entry } from './entry.js';
import type { Contents } from './load.js';
import { damagedEntry, DISPLAY_DATA, entryOf, text } from './entry.js';
import type { RequestLog } from './request-log.js';
import { emptyRequestLog, noteRequest } from './request-log.js';

/** A file after the first pass: every record's place, no record's text. */
export interface FileIndex {
  readonly path: string;
  readonly entries: readonly Entry[];
  /** The first record of each uuid; later ones are copies that the harness appended again. */
  readonly byUuid: ReadonlyMap<string, Entry>;
  readonly requests: RequestLog;
  readonly diagnostics: readonly Diagnostic[];
}

interface Draft {
  readonly contents: Contents;
  readonly path: string;
  readonly entries: Entry[];
  readonly byUuid: Map<string, Entry>;
  readonly requests: RequestLog;
  readonly diagnostics: Diagnostic[];
  sessionId: string;
  repeated: { count: number; first: FoundRecord } | undefined;
}

/** Streams the file once. Memory grows with the number of records, not with their size. */
export async function indexFile(file: SourceFile, contents: Contents, signal?: AbortSignal): Promise<FileIndex> {
  const draft: Draft = { path: file.path, contents, entries: [], byUuid: new Map(), requests: emptyRequestLog(), diagnostics: [], sessionId: '', repeated: undefined };
  for await (const line of splitLines(file.stream())) {
    signal?.throwIfAborted();
    const { records, diagnostics } = readRecords(line, file.path, DISPLAY_DATA);
    draft.diagnostics.push(...diagnostics);
    for (const found of records) note(draft, found);
  }
  noteRepeats(draft);
  const name = fileStem(file.path);
  const entries = draft.entries.map((entry) => (entry.sessionId === '' ? { ...entry, sessionId: firstSession(draft.entries) ?? name } : entry));
  const byUuid = entries.some((entry, index) => entry !== draft.entries[index]) ? uuidMap(entries) : draft.byUuid;
  return { path: file.path, entries, byUuid, requests: draft.requests, diagnostics: draft.diagnostics };
}

function note(draft: Draft, found: FoundRecord): void {
  const record = found.value;
  if (record === undefined) {
    draft.entries.push(damagedEntry(found, draft.entries.length, draft.sessionId));
    return;
  }
  if (noteRequest(draft.requests, record, found)) return;
  draft.sessionId = text(record['sessionId']) ?? text(record['session_id']) ?? draft.sessionId;
  if (!belongsToTree(record)) return;
  const entry = entryOf(found, record, draft.entries.length, draft.sessionId);
  if (entry.uuid !== undefined && draft.byUuid.has(entry.uuid)) {
    draft.repeated = { count: (draft.repeated?.count ?? 0) + 1, first: draft.repeated?.first ?? found };
  } else {
    if (entry.uuid !== undefined) draft.byUuid.set(entry.uuid, entry);
    draft.entries.push(entry);
    draft.contents.offer(entry, record, found.text);
  }
  // The progress record itself is a link of the main chain, beside the message that it wraps.
  if (entry.nested) noteCarrier(draft, found, record);
}

/** State records without a place in the tree (queue-operation, file-history-snapshot, …) only count by their session id. */
function belongsToTree(record: JsonObject): boolean {
  return text(record['uuid']) !== undefined || isObject(record['message']);
}

function noteCarrier(draft: Draft, found: FoundRecord, record: JsonObject): void {
  const uuid = text(record['uuid']);
  if (uuid === undefined || draft.byUuid.has(uuid)) return;
  const { data: _data, ...carrier } = record;
  const entry = entryOf(found, carrier, draft.entries.length, draft.sessionId);
  draft.byUuid.set(uuid, entry);
  draft.entries.push(entry);
}

function noteRepeats(draft: Draft): void {
  if (draft.repeated === undefined) return;
  const { count, first } = draft.repeated;
  draft.diagnostics.push({ severity: 'info', code: 'repeated-records', message: `Expected each uuid once, found ${count} records with the uuid of an earlier one; the first counts.`, file: draft.path, line: first.line, byteOffset: first.byteOffset });
}

function firstSession(entries: readonly Entry[]): string | undefined {
  return entries.find((entry) => entry.sessionId !== '')?.sessionId;
}

function uuidMap(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const map = new Map<string, Entry>();
  for (const entry of entries) if (entry.uuid !== undefined) map.set(entry.uuid, entry);
  return map;
}

function fileStem(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.[^.]*$/, '');
}
