import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { detectReader } from './detect.js';

/** Enough for a reader to see several records, also behind a long first one. */
const HEAD_BYTES = 256 * 1024;

/** Sessions of a file by the reader that recognises it; a file nobody knows is a session without calls that says so. */
export async function* readSessions(readers: readonly SessionReader[], source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  if (source.sizeBytes === 0) return;
  const head = await source.slice(0, Math.min(source.sizeBytes, HEAD_BYTES));
  const reader = detectReader(readers, head, source.path);
  if (reader !== undefined) {
    yield* reader.read(source, context);
    return;
  }
  const known = readers.map((candidate) => candidate.name).join(', ');
  yield {
    id: source.path, reader: 'none', files: [source.path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [],
    diagnostics: [{ severity: 'warning', code: 'unknown-session-format', message: `Expected a session of a known format (${known}), found none in the first ${head.length} bytes.`, file: source.path, line: 0, byteOffset: 0 }],
  };
}
