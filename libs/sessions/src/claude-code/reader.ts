import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { detectClaudeCode } from './detect.js';
import type { Entry } from './entry.js';
import { indexFile } from './file-index.js';
import { linkEntries } from './link.js';
import { Contents } from './load.js';
import { indexResults } from './paths.js';
import { groupReplies } from './replies.js';
import { buildSession } from './session-builder.js';

/**
 * Reads the files under `~/.claude/projects`, subagent files and stream-json logs included.
 *
 * Two passes: the first keeps a small entry per record, the second loads one session after the other by byte range.
 */
export const claudeCodeReader: SessionReader = {
  name: 'claude-code',
  description: 'Claude Code session files (JSON lines), subagent files and stream-json logs',
  detect: (head) => detectClaudeCode(head),
  read: readClaudeCode,
};

async function* readClaudeCode(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const contents = new Contents(source);
  const file = await indexFile(source, contents, context.signal);
  const found = [...file.diagnostics, ...linkEntries(file)];
  const linked = { file, replies: groupReplies(file), results: indexResults(file.entries) };
  const sessions = bySession(file.entries);
  if (sessions.length === 0 && found.length > 0) yield emptySession(source.path, found);
  for (const [position, [sessionId, own]] of sessions.entries()) {
    context.signal?.throwIfAborted();
    const next = sessions[position + 1]?.[1][0]?.byteOffset ?? Infinity;
    const start = position === 0 ? 0 : (own[0]?.byteOffset ?? 0);
    const diagnostics = found.filter((item) => (item.byteOffset ?? 0) >= start && (item.byteOffset ?? 0) < next);
    yield await buildSession({ source, contents, ...linked }, sessionName(sessionId, own), own, diagnostics, context.seenReplies);
    if (sessions.length > 1) contents.release(own);
  }
}

/** Sessions by their first record. */
function bySession(entries: readonly Entry[]): [string, readonly Entry[]][] {
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = sessions.get(entry.sessionId);
    if (known === undefined) sessions.set(entry.sessionId, [entry]);
    else known.push(entry);
  }
  return [...sessions];
}

/** A subagent's own file has the session id of its parent; the agent's id tells them apart. */
function sessionName(sessionId: string, own: readonly Entry[]): string {
  const messages = own.filter((entry) => entry.kind === 'user' || entry.kind === 'assistant');
  const agent = messages[0]?.agent ?? '';
  return agent !== '' && messages.every((entry) => entry.agent === agent) ? `${sessionId}#${agent}` : sessionId;
}

function emptySession(path: string, diagnostics: readonly Diagnostic[]): Session {
  return { id: path.split(/[\\/]/).at(-1) ?? path, reader: 'claude-code', files: [path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [], diagnostics };
}
