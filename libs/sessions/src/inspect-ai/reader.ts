import { Buffer } from 'node:buffer';
import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { documentOf, rawItems, readDocument } from '../common/document.js';
import { emptySession, noCalls } from '../common/empty-session.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';
import { listAt } from '../common/values.js';
import { isObject } from '../json-lines/records.js';
import { archiveEntries, readEntry } from '../zip/archive.js';
import { buildSample } from './sample.js';

/** Reads logs of Inspect: the archive, one sample at a time, and the JSON document. */
export const inspectReader: SessionReader = {
  name: 'inspect-ai',
  description: 'Inspect AI evaluation logs (.eval, .json), a sample a session',
  detect: (head) => detectInspect(head),
  read: readInspect,
};

function detectInspect(head: Uint8Array): number {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length > 4 && bytes.readUInt32LE(0) === 0x04034b50) return /_journal\/|header\.json|samples\//.test(bytes.toString('latin1')) ? 0.95 : 0;
  const { members } = sniffHead(head);
  if (members.has('eval') && (members.has('status') || members.has('plan'))) return 0.95;
  return 'event' in (firstItemOf(members.get('events')) ?? {}) ? 0.7 : 0;
}

async function* readInspect(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const head = Buffer.from(await source.slice(0, Math.min(4, source.sizeBytes)));
  let yielded = false;
  for await (const session of head.length === 4 && head.readUInt32LE(0) === 0x04034b50 ? archived(source, context) : documented(source, context)) {
    yield session;
    yielded = true;
  }
  if (!yielded) yield emptySession('inspect-ai', source.path, [noCalls(source.path, 'samples')]);
}

async function* archived(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const entries = await archiveEntries(source);
  if (entries === undefined) {
    yield emptySession('inspect-ai', source.path, [{ severity: 'error', code: 'truncated-archive', message: 'Expected the directory at the end of an archive, found none; the archive was cut.', file: source.path, line: 0, byteOffset: source.sizeBytes }]);
    return;
  }
  for (const entry of entries) {
    if (!/^samples\/.*\.json$/.test(entry.name)) continue;
    context.signal?.throwIfAborted();
    const place = { file: source.path, line: 0, byteOffset: entry.byteOffset };
    const bytes = await readEntry(source, entry);
    if (!Buffer.isBuffer(bytes)) {
      const fault: Diagnostic = { severity: 'error', code: 'bad-archive-entry', message: `Entry ${entry.name}: ${(bytes as { reason: string }).reason}.`, ...place };
      yield emptySession('inspect-ai', source.path, [fault]);
      continue;
    }
    const document = documentOf(bytes, source.path);
    const value = isObject(document.value) ? document.value : {};
    const session = buildSample(document, { value, json: document.json, start: 0 }, { path: source.path, seen: context.seenReplies, byteOffset: entry.byteOffset });
    yield { ...session, diagnostics: [...document.diagnostics.map((fault) => ({ ...fault, ...place })), ...session.diagnostics] };
  }
}

async function* documented(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const document = await readDocument(source);
  const root = isObject(document.value) ? document.value : {};
  const faults = [...document.diagnostics];
  const one = Array.isArray(root['events']) && !Array.isArray(root['samples']);
  const samples = one ? [root] : listAt(root, 'samples');
  const raws = one ? [{ json: document.json, start: 0 }] : rawItems(document.json, ['samples']);
  for (const [index, raw] of raws.entries()) {
    const value = samples[index];
    if (!isObject(value)) continue;
    context.signal?.throwIfAborted();
    const session = buildSample(document, { value, json: raw.json, start: raw.start }, { path: source.path, seen: context.seenReplies, byteOffset: 0 });
    yield { ...session, diagnostics: [...faults.splice(0), ...session.diagnostics] };
  }
  if (faults.length > 0) yield emptySession('inspect-ai', source.path, faults);
}
