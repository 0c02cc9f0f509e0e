import type { MessagePart, SessionMessage, SourceFile } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import type { RecordContent } from './content.js';
import { contentOf } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import { eachRecord } from './load.js';
import { messageHash } from './message-hash.js';
import type { Reply } from './replies.js';

/** What a logged hash stands for, as messages of a prompt; undefined when nothing in the file has that hash. */
export type WireMessages = ReadonlyMap<string, readonly SessionMessage[]>;

interface Sources {
  readonly file: FileIndex;
  readonly entries: readonly Entry[];
  readonly replies: readonly Reply[];
  readonly contents: ReadonlyMap<number, RecordContent>;
  readonly callIdOf: (reply: Reply) => string | undefined;
}

/**
 * Finds the messages behind logged hashes: a blob record, a reply (its lines joined), the results of a reply (joined in file order), or
 * one user record. A hash is only taken when it is the hash of what was found, so nothing here is a guess.
 */
export async function loadWireMessages(source: SourceFile, sources: Sources, wanted: ReadonlySet<string>): Promise<WireMessages> {
  const found = new Map<string, readonly SessionMessage[]>();
  await addTranscript(source, sources, wanted, found);
  const blobs = [...wanted].filter((hash) => !found.has(hash)).flatMap((hash) => {
    const range = sources.file.requests.blobs.get(hash);
    return range === undefined ? [] : [{ ...range, hash }];
  });
  blobs.sort((a, b) => a.byteOffset - b.byteOffset);
  await eachRecord(source, blobs, ({ hash }, record, json) => {
    const message = record['message'];
    if (isObject(message) && messageHash(message) === hash) found.set(hash, blobMessages(sources, record, message, json));
  });
  return found;
}

async function addTranscript(source: SourceFile, sources: Sources, wanted: ReadonlySet<string>, found: Map<string, readonly SessionMessage[]>): Promise<void> {
  const blocks = new Map<number, readonly JsonObject[]>();
  const entries = sources.entries.filter((entry) => (entry.kind === 'user' || entry.kind === 'assistant') && !entry.nested);
  await eachRecord(source, entries, (entry, record) => {
    const message = isObject(record['message']) ? record['message'] : {};
    const content = message['content'];
    blocks.set(entry.index, Array.isArray(content) ? content.filter(isObject) : []);
    const hash = entry.kind === 'user' && typeof message['role'] === 'string' ? messageHash({ role: message['role'], content }) : undefined;
    if (hash !== undefined && wanted.has(hash)) found.set(hash, sources.contents.get(entry.index)?.messages ?? []);
  });
  const results = new Map<string, Entry[]>();
  for (const entry of entries) for (const id of entry.toolResultIds) results.set(id, [...(results.get(id) ?? []), entry]);
  for (const reply of sources.replies) {
    const hash = messageHash({ role: 'assistant', content: reply.lines.flatMap((line) => blocks.get(line.index) ?? []) });
    if (wanted.has(hash) && !found.has(hash)) found.set(hash, [replyMessage(sources, reply)]);
    const answers = [...new Set(reply.lines.flatMap((line) => line.toolUseIds.flatMap((id) => results.get(id) ?? [])))].sort((a, b) => a.index - b.index);
    const joined = messageHash({ role: 'user', content: answers.flatMap((entry) => blocks.get(entry.index) ?? []) });
    if (wanted.has(joined) && !found.has(joined)) found.set(joined, answers.flatMap((entry) => sources.contents.get(entry.index)?.messages ?? []));
  }
}

function replyMessage(sources: Sources, reply: Reply): SessionMessage {
  return attributed(sources, reply, reply.lines.flatMap((line) => sources.contents.get(line.index)?.parts ?? []));
}

/** A blob's message, in the words that the wire had: blocks of a reply may stand in another order than they were sampled. */
function blobMessages(sources: Sources, record: JsonObject, message: JsonObject, json: string): SessionMessage[] {
  const kind = message['role'] === 'assistant' ? 'assistant' : 'user';
  const content = contentOf({ kind, nested: false, synthetic: false, validUtf8: true, summary: false, sidechain: false, subtype: undefined }, record, json);
  if (kind === 'assistant') return [attributed(sources, ownerOf(sources, content.parts), content.parts)];
  if (message['role'] !== 'system') return [...content.messages];
  return content.messages.map((each) => ({ role: 'system', parts: each.parts.map((part): MessagePart => ({ ...part, author: 'harness' })) }));
}

function ownerOf(sources: Sources, parts: readonly MessagePart[]): Reply | undefined {
  const ids = new Set(parts.flatMap((part) => (part.kind === 'tool-call' && part.id !== undefined ? [part.id] : [])));
  const byCall = sources.replies.find((reply) => reply.lines.some((line) => line.toolUseIds.some((id) => ids.has(id))));
  if (byCall !== undefined) return byCall;
  const text = JSON.stringify(parts.map((part) => ('text' in part ? part.text : '')));
  return sources.replies.find((reply) => JSON.stringify(reply.lines.flatMap((line) => (sources.contents.get(line.index)?.parts ?? []).map((part) => ('text' in part ? part.text : '')))) === text);
}

/** Without a call of this session that wrote it, a reply is context. */
function attributed(sources: Sources, reply: Reply | undefined, parts: readonly MessagePart[]): SessionMessage {
  const callId = reply === undefined ? undefined : sources.callIdOf(reply);
  const author = reply?.lines.some((line) => line.synthetic) === true ? 'harness' : callId === undefined ? 'copied' : 'sampled';
  return { role: 'assistant', parts: parts.map((part): MessagePart => ({ ...part, author })), ...(callId === undefined ? {} : { callId }) };
}
