import { Buffer } from 'node:buffer';
import type { ModelCall, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { promptMessages } from '@turnwright/contracts';

/** A file in memory, cut into chunks at the given offsets, or of the given size. */
export function memoryFile(content: string | Uint8Array, chunkBytes = 1 << 20, path = 'session.jsonl'): SourceFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  return {
    path,
    sizeBytes: bytes.length,
    async *stream(start = 0) {
      for (let at = start; at < bytes.length; at += chunkBytes) yield Uint8Array.from(bytes.subarray(at, at + chunkBytes));
    },
    slice: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}

/** All sessions of a file. */
export async function readAll(reader: SessionReader, file: SourceFile, seenReplies = new Set<string>()): Promise<Session[]> {
  const sessions: Session[] = [];
  for await (const session of reader.read(file, { seenReplies })) sessions.push(session);
  return sessions;
}

/** The one session of a text. */
export async function readOne(reader: SessionReader, content: string | Uint8Array, seenReplies = new Set<string>()): Promise<Session> {
  const [session] = await readAll(reader, memoryFile(content), seenReplies);
  if (session === undefined) throw new Error('expected a session');
  return session;
}

/** A call of a session by its id. */
export function callOf(session: Session, id: string): ModelCall {
  const call = session.calls.find((candidate) => candidate.id === id);
  if (call === undefined) throw new Error(`expected a call ${id}, found ${session.calls.map((each) => each.id).join(', ')}`);
  return call;
}

/** A prompt in short: `user: go`, `assistant: Bash({"a": 1})`, `tool: out`. */
export function promptOf(session: Session, id: string): string[] {
  return promptMessages(callOf(session, id).prompt.head).map((message) => `${message.role}: ${message.parts.map(shortPart).join(' + ')}`);
}

/** What a call sampled, in short. */
export function sampledOf(session: Session, id: string): string[] {
  return callOf(session, id).sampled.map(shortPart);
}

function shortPart(part: ModelCall['sampled'][number]): string {
  switch (part.kind) {
    case 'tool-call':
      return `${part.name}(${part.arguments})`;
    case 'reasoning':
      return `<${part.text}>`;
    case 'media':
      return `[${part.mediaType}]`;
    default:
      return part.text;
  }
}
