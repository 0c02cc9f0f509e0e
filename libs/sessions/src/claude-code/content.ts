import type { Author, Exactness, MessagePart, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw, respaceJson } from '../json-lines/raw-json.js';
import { wellFormed } from '../well-formed.js';
import type { Entry } from './entry.js';
import { text } from './entry.js';
import { authorOfText, isInterrupt } from './harness-text.js';
import { sampledArguments } from './harness-rewrites.js';

/** What a record adds to a conversation. */
export interface RecordContent {
  /** For an assistant line: its blocks as the harness stores and sends them. */
  readonly parts: readonly MessagePart[];
  /** For an assistant line: its blocks as the model wrote them. */
  readonly sampled: readonly MessagePart[];
  /** For any other record: the messages that the model sees. */
  readonly messages: readonly SessionMessage[];
  readonly interrupt: boolean;
  /** A person (or another agent) spoke. */
  readonly userTurn: boolean;
  /** The model saw something here whose text is not in the file. */
  readonly unrendered: boolean;
  /** For a tool call that starts an agent: the prompt that it gives, by tool call id. */
  readonly spawnPrompts: readonly { readonly toolCallId: string; readonly prompt: string }[];
}

const NOTHING: RecordContent = { parts: [], sampled: [], messages: [], interrupt: false, userTurn: false, unrendered: false, spawnPrompts: [] };

/** What must be known of a record to read it. */
export type RecordKind = Pick<Entry, 'kind' | 'nested' | 'synthetic' | 'validUtf8' | 'summary' | 'sidechain' | 'subtype'>;

/** Reads the conversation part of a record; `toolUseResult` is display data and is never read. */
export function contentOf(entry: RecordKind, record: JsonObject, json: string): RecordContent {
  const path = entry.nested ? ['data', 'message'] : [];
  const carrier = entry.nested ? nestedIn(record) : record;
  const message = isObject(carrier['message']) ? carrier['message'] : {};
  switch (entry.kind) {
    case 'assistant':
      return assistantContent(entry, record, message, json, [...path, 'message', 'content']);
    case 'user':
      return userContent(entry, record, message['content']);
    case 'attachment':
      return attachmentContent(record);
    case 'system':
      return entry.subtype === 'local_command' ? harnessContent(text(record['content']), 'user') : NOTHING;
    default:
      return NOTHING;
  }
}

function nestedIn(record: JsonObject): JsonObject {
  const data = isObject(record['data']) ? record['data'] : {};
  return isObject(data['message']) ? data['message'] : {};
}

function assistantContent(entry: RecordKind, record: JsonObject, message: JsonObject, json: string, path: readonly (string | number)[]): RecordContent {
  const author: Author = entry.synthetic ? 'harness' : 'sampled';
  const parts: MessagePart[] = [];
  const sampled: MessagePart[] = [];
  const spawnPrompts: { toolCallId: string; prompt: string }[] = [];
  for (const { block, index } of blocksOf(message['content'])) {
    const part = assistantPart(block, author, entry.validUtf8, () => rawInput(json, [...path, index, 'input']));
    if (part === undefined) continue;
    parts.push(part);
    sampled.push(part.kind === 'tool-call' ? { ...part, arguments: sampledArguments(part, record) } : part);
    const input = isObject(block['input']) ? block['input'] : {};
    const prompt = text(input['prompt']);
    if (part.kind === 'tool-call' && part.id !== undefined && prompt !== undefined) spawnPrompts.push({ toolCallId: part.id, prompt });
  }
  return { ...NOTHING, parts, sampled, spawnPrompts };
}

function assistantPart(block: JsonObject, author: Author, validUtf8: boolean, input: () => string): MessagePart | undefined {
  switch (block['type']) {
    case 'text':
      return sampledText('text', block['text'], author, validUtf8);
    case 'thinking': {
      // An empty thought with a signature: the model reasoned and the text was withheld.
      if (block['thinking'] === '' || block['thinking'] === undefined) return { kind: 'reasoning', text: '', author, exactness: 'withheld' };
      return sampledText('reasoning', block['thinking'], author, validUtf8);
    }
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', author, exactness: 'withheld' };
    case 'tool_use':
    case 'server_tool_use': {
      const id = text(block['id']);
      return { kind: 'tool-call', ...(id === undefined ? {} : { id }), name: text(block['name']) ?? '', arguments: input(), author, exactness: 're-rendered' };
    }
    default:
      return undefined;
  }
}

function sampledText(kind: 'text' | 'reasoning', value: unknown, author: Author, validUtf8: boolean): MessagePart | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = wellFormed(value);
  return { kind, text: clean, author, exactness: clean === value && validUtf8 ? 'bytes' : 'damaged' };
}

function rawInput(json: string, path: readonly (string | number)[]): string {
  const span = findRaw(json, path);
  return span === undefined ? '{}' : respaceJson(json.slice(span.start, span.end));
}

function userContent(entry: RecordKind, record: JsonObject, content: unknown): RecordContent {
  const fallback: Author = entry.summary ? 'summary' : record['isMeta'] === true || record['isSynthetic'] === true || record['rowSource'] === 'harness' ? 'harness' : entry.sidechain ? 'other-agent' : 'user';
  const messages: SessionMessage[] = [];
  let parts: MessagePart[] = [];
  const flush = (): void => {
    if (parts.length > 0) messages.push({ role: 'user', parts });
    parts = [];
  };
  for (const { block } of blocksOf(content)) {
    if (block['type'] === 'tool_result') {
      flush();
      messages.push(toolMessage(block));
    } else {
      const part = seenPart(block, fallback);
      if (part !== undefined) parts.push(part);
    }
  }
  flush();
  const said = messages.filter((message) => message.role === 'user').flatMap((message) => message.parts);
  return {
    ...NOTHING,
    messages,
    interrupt: said.some((part) => part.kind === 'text' && isInterrupt(part.text)),
    userTurn: said.some((part) => part.author === 'user' || part.author === 'other-agent'),
  };
}

/** A text or medium that the model saw. A lone surrogate reached it as U+FFFD. */
function seenPart(block: JsonObject, fallback: Author): MessagePart | undefined {
  if (block['type'] === 'text' && typeof block['text'] === 'string') {
    const clean = wellFormed(block['text']);
    const author = fallback === 'summary' ? fallback : authorOfText(clean, fallback);
    return { kind: 'text', text: clean, author, exactness: exactnessOf(clean, block['text']) };
  }
  if (block['type'] === 'image' || block['type'] === 'document') return { kind: 'media', mediaType: mediaTypeOf(block), author: fallback, exactness: 'withheld' };
  return undefined;
}

function mediaTypeOf(block: JsonObject): string {
  const source = isObject(block['source']) ? block['source'] : {};
  return text(source['media_type']) ?? (block['type'] === 'image' ? 'image/*' : 'application/octet-stream');
}

/** A tool message; several text blocks become lines of one text, as servers that take Anthropic requests join them. */
export function toolMessage(block: JsonObject): SessionMessage {
  const toolCallId = text(block['tool_use_id']);
  const blocks = blocksOf(block['content']).map((item) => item.block);
  const texts = blocks.flatMap((item) => (item['type'] === 'text' && typeof item['text'] === 'string' ? [item['text']] : []));
  const joined = texts.join('\n');
  const clean = wellFormed(joined);
  const result: MessagePart = {
    kind: 'tool-result',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    text: clean,
    ...(block['is_error'] === true ? { failed: true } : {}),
    author: 'tool',
    exactness: texts.length > 1 ? 're-rendered' : exactnessOf(clean, joined),
  };
  const media = blocks.flatMap((item) => (item['type'] === 'image' || item['type'] === 'document' ? (seenPart(item, 'tool') ?? []) : []));
  return { role: 'tool', parts: [result, ...media] };
}

function exactnessOf(clean: string, stored: string): Exactness {
  return clean === stored ? 'bytes' : 're-rendered';
}

/** Attachments of newer files hold the text that the model saw; older ones only the data that it was made from. */
function attachmentContent(record: JsonObject): RecordContent {
  const rendered = record['rendered'];
  const attachment = isObject(record['attachment']) ? record['attachment'] : {};
  if (Array.isArray(rendered)) {
    const role = record['renderedRole'] === 'system' ? 'system' : 'user';
    const parts = rendered.filter(isObject).flatMap((item) => (typeof item['content'] === 'string' ? [harnessPart(item['content'])] : []));
    return { ...NOTHING, messages: parts.length > 0 ? [{ role, parts }] : [] };
  }
  if (attachment['type'] === 'queued_command') {
    const prompt = text(attachment['prompt']);
    const author = authorOfText(prompt ?? '', 'user');
    const messages: SessionMessage[] = prompt === undefined ? [] : [{ role: 'user', parts: [{ kind: 'text', text: wellFormed(prompt), author, exactness: 're-rendered' }] }];
    return { ...NOTHING, messages, userTurn: author === 'user', unrendered: true };
  }
  return { ...NOTHING, unrendered: SEEN_ATTACHMENTS.has(text(attachment['type']) ?? '') };
}

const SEEN_ATTACHMENTS: ReadonlySet<string> = new Set(['file', 'compact_file_reference', 'edited_text_file', 'hook_additional_context', 'hook_blocking_error', 'invoked_skills', 'nested_memory', 'plan_mode', 'plan_mode_exit', 'task_reminder', 'todo_reminder', 'date_change', 'skill_listing', 'agent_listing_delta', 'mcp_instructions_delta', 'deferred_tools_delta', 'auto_mode', 'task_status']);

function harnessContent(content: string | undefined, role: 'system' | 'user'): RecordContent {
  return content === undefined ? NOTHING : { ...NOTHING, messages: [{ role, parts: [harnessPart(content)] }] };
}

function harnessPart(content: string): MessagePart {
  const clean = wellFormed(content);
  return { kind: 'text', text: clean, author: 'harness', exactness: exactnessOf(clean, content) };
}

/** The blocks of a message's content, with their place in it; a string is one text block. */
export function blocksOf(content: unknown): { readonly block: JsonObject; readonly index: number }[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, index: 0 }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((item: unknown, index) => (isObject(item) ? [{ block: item, index }] : typeof item === 'string' ? [{ block: { type: 'text', text: item }, index }] : []));
}
