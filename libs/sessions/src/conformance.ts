import { Buffer } from 'node:buffer';
import type { MessagePart, ModelCall, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { promptMessages } from '@turnwright/contracts';
import { sessionReaders } from './plugin.js';
import { readSessions } from './read-sessions.js';
import { openSourceFile } from './source-file.js';

/** A request of the `sessions` conformance suite. */
export interface SessionsRequest {
  readonly id: string;
  readonly files: readonly string[];
}

/** A call in the words of the suite. */
export interface CallDescription {
  readonly id: string;
  readonly parent?: string;
  readonly promptStatus: string;
  readonly prompt: readonly { readonly author: string; readonly role: string; readonly text?: string }[];
  readonly sampled: readonly { readonly kind: 'text' | 'reasoning' | 'tool_call'; readonly text?: string; readonly name?: string; readonly arguments?: string; readonly exactness: string }[];
  readonly loss: boolean;
  readonly reason?: string;
}

/** A session in the words of the suite. */
export interface SessionDescription {
  readonly calls: readonly CallDescription[];
  readonly diagnostics: readonly { readonly code: string; readonly file?: string; readonly byteOffset?: number }[];
}

/**
 * The answer to a request: the files are one corpus, read in order, so that copies in later files are context.
 *
 * order  calls stand by the time at which their file begins: a session and its agents are written side by side, in files whose names say nothing
 */
export async function answerSessionsRequest(request: SessionsRequest, readers: readonly SessionReader[] = sessionReaders): Promise<SessionDescription & { readonly id: string }> {
  const seenReplies = new Set<string>();
  const files: { startedAt: string; calls: CallDescription[]; diagnostics: SessionDescription['diagnostics'][number][] }[] = [];
  for (const path of request.files) {
    const source = await openSourceFile(path);
    const file = { startedAt: (await startOf(source)) ?? files.at(-1)?.startedAt ?? '', calls: [] as CallDescription[], diagnostics: [] as SessionDescription['diagnostics'][number][] };
    for await (const session of readSessions(readers, source, { seenReplies })) {
      const description = describeSession(session);
      file.calls.push(...description.calls);
      file.diagnostics.push(...description.diagnostics);
    }
    files.push(file);
  }
  files.sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
  return { id: request.id, calls: files.flatMap((file) => file.calls), diagnostics: files.flatMap((file) => file.diagnostics) };
}

async function startOf(source: SourceFile): Promise<string | undefined> {
  const head = await source.slice(0, Math.min(source.sizeBytes, 64 * 1024));
  return /"timestamp" ?: ?"([^"]+)"/.exec(Buffer.from(head).toString('utf8'))?.[1];
}

/** A session as the suite compares it. */
export function describeSession(session: Session): SessionDescription {
  return {
    calls: session.calls.map(describeCall),
    diagnostics: session.diagnostics.map(({ code, file, byteOffset }) => ({ code, ...(file === undefined ? {} : { file }), ...(byteOffset === undefined ? {} : { byteOffset }) })),
  };
}

function describeCall(call: ModelCall): CallDescription {
  return {
    id: call.id,
    ...(call.parentId === undefined ? {} : { parent: call.parentId }),
    promptStatus: call.prompt.status,
    prompt: promptMessages(call.prompt.head).flatMap((message) => message.parts.map((part) => ({ author: part.author, role: message.role, ...('text' in part ? { text: part.text } : {}) }))),
    sampled: call.sampled.flatMap(describePart),
    loss: call.loss,
    ...(call.lossReason === undefined ? {} : { reason: call.lossReason }),
  };
}

function describePart(part: MessagePart): CallDescription['sampled'] {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return [{ kind: part.kind, text: part.text, exactness: part.exactness }];
    case 'tool-call':
      return [{ kind: 'tool_call', name: part.name, arguments: part.arguments, exactness: part.exactness }];
    default:
      return [];
  }
}
