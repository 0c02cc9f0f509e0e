import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import { readDocument } from '../common/document.js';
import { opensOneDocument } from '../common/one-document.js';
import { readRecordStream } from '../common/record-stream.js';
import { baseName } from '../common/values.js';
import { SqliteDatabase, isSqlite } from '../sqlite/database.js';
import { detectOpenCode } from './detect.js';
import { sessionsOfDatabase } from './load-database.js';
import { RunStream, sessionOfExport, sessionOfStorage } from './load-files.js';
import type { AgentStarts } from './session-builder.js';
import { buildSession } from './session-builder.js';
import type { StoredSession } from './stored-session.js';

/** Reads sessions of OpenCode: its database with the log beside it, exports, the older storage of JSON files, and streams of `run`. */
export const openCodeReader: SessionReader = {
  name: 'opencode',
  description: 'OpenCode: opencode.db, exports, the older JSON storage (by its session files), and run --format json',
  detect: (head) => detectOpenCode(head),
  read: readOpenCode,
};

async function* readOpenCode(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const faults: Diagnostic[] = [];
  const starts: AgentStarts = new Map();
  const sessions = await storedSessions(source, context, faults);
  if (sessions.length === 0) yield emptySession(source, faults);
  for (const stored of sessions) {
    context.signal?.throwIfAborted();
    const session = buildSession(stored, { path: source.path, seen: context.seenReplies, starts });
    yield { ...session, diagnostics: [...faults.splice(0), ...session.diagnostics] };
  }
}

async function storedSessions(source: SourceFile, context: ReadContext, faults: Diagnostic[]): Promise<StoredSession[]> {
  const onFault = (fault: Diagnostic): void => void faults.push(fault);
  if (isSqlite(await source.slice(0, Math.min(source.sizeBytes, 16)))) return databaseSessions(source, onFault);
  if (!(await opensOneDocument(source))) {
    const stream = new RunStream();
    for await (const found of readRecordStream(source, context.signal, onFault)) stream.add(found, source.path);
    return [stream.session(baseName(source.path), source.path)];
  }
  const document = await readDocument(source);
  faults.push(...document.diagnostics);
  if (isObject(document.value) && Array.isArray(document.value['messages'])) return [sessionOfExport(document, baseName(source.path))];
  if (isObject(document.value) && 'part' in document.value) {
    const stream = new RunStream();
    for await (const found of readRecordStream(source, context.signal, onFault)) stream.add(found, source.path);
    return [stream.session(baseName(source.path), source.path)];
  }
  const session = await sessionOfStorage(document, source.path, onFault);
  if (session === undefined) onFault({ severity: 'info', code: 'part-of-a-session', message: 'Expected a session file with its messages beside it, found a single piece of a session; the session file reads all of them.', file: source.path, line: 0, byteOffset: 0 });
  return session === undefined ? [] : [session];
}

async function databaseSessions(source: SourceFile, onFault: (fault: Diagnostic) => void): Promise<StoredSession[]> {
  const database = await SqliteDatabase.open(source);
  const known = database?.has('message') === true && database.has('part') && database.has('session');
  if (database === undefined || !known) {
    for (const fault of database?.diagnostics ?? []) onFault(fault);
    onFault({ severity: 'warning', code: 'unknown-database', message: 'Expected a database with the tables session, message and part, found another one; it was not read.', file: source.path, line: 0, byteOffset: 0 });
    return [];
  }
  const sessions = await sessionsOfDatabase(database, source.path, onFault);
  for (const fault of database.diagnostics) onFault(fault);
  return sessions;
}

function emptySession(source: SourceFile, diagnostics: readonly Diagnostic[]): Session {
  return { id: baseName(source.path), reader: 'opencode', files: [source.path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [], diagnostics };
}
