import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { detectReader } from './detect.js';
import { isZstd } from './source-file.js';

/** Enough for a reader to see several records, also behind a long first one. */
const HEAD_BYTES = 256 * 1024;

/** Sessions of a file by the reader that recognises it; a file nobody knows is a session without calls that says so. */
export async function* readSessions(readers: readonly SessionReader[], source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  if (source.sizeBytes === 0) return;
  const head = await source.slice(0, Math.min(source.sizeBytes, HEAD_BYTES));
  const reader = detectReader(readers, head, source.path);
  if (reader !== undefined) {
    yield* withWarning(reader.read(source, context), source.path);
    return;
  }
  const known = readers.map((candidate) => candidate.name).join(', ');
  yield {
    id: source.path, reader: 'none', files: [source.path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [],
    diagnostics: [isZstd(head) ? packed(source.path) : { severity: 'warning', code: 'unknown-session-format', message: `Expected a session of a known format (${known}), found none in the first ${head.length} bytes.`, file: source.path, line: 0, byteOffset: 0 }],
  };
}

function packed(file: string): Diagnostic {
  return { severity: 'warning', code: 'compressed-file', message: 'Expected a session, found a Zstandard file, which this Node cannot unpack; Node 22.15 can, or unpack it first.', file, line: 0, byteOffset: 0 };
}

/** A file in which nothing was found says so: silence would look like an empty session (graykode/abtop#170). */
async function* withWarning(sessions: AsyncIterable<Session>, path: string): AsyncGenerator<Session> {
  let calls = 0;
  let warned = false;
  let last: Session | undefined;
  for await (const session of sessions) {
    if (last !== undefined) yield last;
    calls += session.calls.length;
    warned ||= session.diagnostics.some((item) => item.severity !== 'info' || EXPLAINED.has(item.code));
    last = session;
  }
  if (last === undefined) return;
  const warning: Diagnostic = { severity: 'warning', code: 'no-model-calls', message: 'Expected replies of a model, found none in the file.', file: path, line: 0, byteOffset: 0 };
  yield calls > 0 || warned ? last : { ...last, diagnostics: [...last.diagnostics, warning] };
}

/** Notes that say why a file has no calls of its own. */
const EXPLAINED: ReadonlySet<string> = new Set(['copied-replies', 'part-of-a-session', 'not-a-conversation']);
