import type { Author, MessagePart, Role, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { authorOf } from '../common/harness-openers.js';
import { callPart, freeFormCall, mediaPart, parsedCall, rawJson, resultPart, summarisedReasoning, textPart, withheldReasoning } from '../common/parts.js';
import { listAt, objectsAt, text } from '../common/values.js';
import { CODEX_OPENERS, isMailboxText } from './harness-text.js';

/** What an item of the history is: a piece of a reply, a message that the model saw, or nothing that it saw. */
export type Item =
  | { readonly kind: 'sampled'; readonly parts: readonly MessagePart[]; readonly serverId?: string; readonly incomplete: boolean }
  | { readonly kind: 'seen'; readonly message: SessionMessage; readonly userTurn: boolean }
  | { readonly kind: 'tools'; readonly tools: readonly JsonObject[] }
  | { readonly kind: 'unseen' };

/** Where an item stands. */
export interface ItemSource {
  /** The record's JSON text, and the path to the item in it. */
  readonly json: string;
  readonly path: readonly (string | number)[];
  readonly validUtf8: boolean;
}

/** Reads a Responses item as rollouts keep it. */
export function itemOf(item: JsonObject, source: ItemSource): Item {
  const id = text(item['call_id']) ?? text(item['id']);
  switch (item['type']) {
    case 'message':
      return messageItem(item, source);
    case 'reasoning':
      return sampled(item, reasoningParts(item, source.validUtf8));
    case 'function_call':
      return sampled(item, [callPart(id, text(item['name']) ?? '', source.json, [...source.path, 'arguments'], item['arguments'], source.validUtf8)]);
    case 'custom_tool_call':
      return sampled(item, [freeFormCall(id, text(item['name']) ?? '', typeof item['input'] === 'string' ? item['input'] : '')]);
    case 'local_shell_call':
      return sampled(item, [parsedCall(id, 'local_shell', source.json, [...source.path, 'action'])]);
    // The server searches and answers itself: no output follows.
    case 'web_search_call':
      return sampled(item, [parsedCall(undefined, 'web_search', source.json, [...source.path, 'action'])]);
    case 'tool_search_call':
      return sampled(item, [callPart(id, 'tool_search', source.json, [...source.path, 'arguments'], item['arguments'], source.validUtf8)]);
    case 'image_generation_call':
      return sampled(item, [{ ...mediaPart('image/*', 'sampled') }]);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return seen('tool', outputParts(item, id));
    case 'tool_search_output':
      return seen('tool', [resultPart(id, rawJson(source.json, [...source.path, 'tools']) ?? '', { exactness: 're-rendered' })]);
    case 'agent_message':
      return { ...seen('user', contentParts(item, 'other-agent', source.validUtf8)), userTurn: true };
    case 'compaction':
    case 'compaction_summary':
      return seen('user', [{ kind: 'text', text: '', author: 'summary', exactness: 'withheld' }]);
    case 'additional_tools':
      return { kind: 'tools', tools: listAt(item, 'tools').filter(isObject) };
    default:
      return { kind: 'unseen' };
  }
}

const ROLES: Readonly<Record<string, Role>> = { user: 'user', developer: 'system', system: 'system', assistant: 'assistant' };

function messageItem(item: JsonObject, source: ItemSource): Item {
  const role = ROLES[text(item['role']) ?? ''] ?? 'user';
  if (role === 'system') return seen(role, contentParts(item, 'system', source.validUtf8));
  const parts = contentParts(item, role === 'assistant' ? 'sampled' : 'user', source.validUtf8);
  const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  if (role === 'assistant') {
    if (!isMailboxText(said)) return sampled(item, parts);
    return { ...seen(role, parts.map((part): MessagePart => ({ ...part, author: 'other-agent', exactness: 'bytes' }))), userTurn: true };
  }
  const authored = parts.map((part): MessagePart => (part.kind === 'text' ? { ...part, author: authorOf(part.text, CODEX_OPENERS) } : part));
  return { ...seen(role, authored), userTurn: authored.some((part) => part.author === 'user') };
}

/** A summary is a digest by another model, and ciphertext alone says that there was reasoning; only `content` was sampled as it stands. */
function reasoningParts(item: JsonObject, validUtf8: boolean): MessagePart[] {
  const written = objectsAt(item, 'content').flatMap(({ item: block }) => (typeof block['text'] === 'string' ? [textPart(block['text'], 'sampled', { kind: 'reasoning', validUtf8 })] : []));
  if (written.length > 0) return written;
  const summaries = objectsAt(item, 'summary').flatMap(({ item: block }) => text(block['text']) ?? []);
  return summaries.length > 0 ? [summarisedReasoning(summaries.join('\n\n'))] : [withheldReasoning()];
}

function contentParts(item: JsonObject, author: Author, validUtf8: boolean): MessagePart[] {
  if (typeof item['content'] === 'string') return item['content'] === '' ? [] : [textPart(item['content'], author, { validUtf8 })];
  return objectsAt(item, 'content').flatMap(({ item: block }): MessagePart[] => {
    const written = [block['text'], block['refusal'], block['encrypted_content']].find((value) => typeof value === 'string');
    if (typeof written === 'string') return [textPart(written, author, { validUtf8 })];
    return block['type'] === 'input_image' ? [mediaPart('image/*', author)] : [];
  });
}

function outputParts(item: JsonObject, id: string | undefined): MessagePart[] {
  const output = item['output'];
  if (typeof output === 'string') return [resultPart(id, output)];
  const blocks = Array.isArray(output) ? (output as readonly unknown[]).filter(isObject) : isObject(output) ? outputBlocks(output) : [];
  const texts = blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []));
  const media = blocks.flatMap((block) => (block['type'] === 'input_image' ? [mediaPart('image/*', 'tool')] : []));
  return [resultPart(id, texts.join(''), { exactness: texts.length > 1 || isObject(output) ? 're-rendered' : 'bytes', ...(isObject(output) && output['success'] === false ? { failed: true } : {}) }), ...media];
}

/** Older rollouts keep `{content, success}`, or a wrapped list. */
function outputBlocks(output: JsonObject): JsonObject[] {
  if (typeof output['content'] === 'string') return [{ text: output['content'] }];
  return typeof output['text'] === 'string' ? [output] : objectsAt(output, 'content_items').map(({ item }) => item);
}

function sampled(item: JsonObject, parts: readonly MessagePart[]): Item {
  const serverId = text(item['id']);
  return { kind: 'sampled', parts, ...(serverId === undefined ? {} : { serverId }), incomplete: item['status'] === 'incomplete' };
}

function seen(role: Role, parts: readonly MessagePart[]): Extract<Item, { kind: 'seen' }> {
  return { kind: 'seen', message: { role, parts }, userTurn: false };
}
