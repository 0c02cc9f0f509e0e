import type { FinishReason, MessagePart, Session, SessionMessage } from '@turnwright/contracts';
import type { JsonDocument } from '../common/document.js';
import { rawItems } from '../common/document.js';
import { callPart, mediaPart, resultPart, summarisedReasoning, textPart, verbatimCall, withheldReasoning } from '../common/parts.js';
import { emptyPath } from '../common/prompt-path.js';
import { RequestTree } from '../common/request-tree.js';
import { SessionDraft } from '../common/session-draft.js';
import { listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { toolsOf } from '../openai-messages/tools.js';



/** Makes calls of a sample: each model event has its request, its reply and, often, the raw call. */
export function buildSample(document: JsonDocument, sampleJson: { readonly value: JsonObject; readonly json: string; readonly start: number }, options: { readonly path: string; readonly seen: Set<string>; readonly byteOffset: number }): Session {
  const { value, json } = sampleJson;
  const id = `${idOf(value['id'])}#${String(value['epoch'] ?? 1)}`;
  const draft = new SessionDraft({ reader: 'inspect-ai', path: options.path, seen: options.seen, id });
  const tree = new RequestTree(draft);
  const texts = new Texts(value);
  const events = listAt(value, 'events');
  for (const [index, raw] of rawItems(json, ['events']).entries()) {
    const event = events[index];
    if (!isObject(event) || event['event'] !== 'model') continue;
    const position = { file: options.path, line: 0, byteOffset: options.byteOffset + (options.byteOffset > 0 ? 0 : document.positionOf(sampleJson.start + raw.start).byteOffset) };
    modelEvent(draft, tree, event, raw.json, texts, { position, validUtf8: document.validUtf8 });
  }
  const scores = Object.values(objectAt(value, 'scores')).filter(isObject).map((score) => score['value']);
  draft.reward = scores.map(rewardOf).find((reward) => reward !== undefined);
  return draft.build();
}

function idOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : (text(value) ?? 'sample');
}

function rewardOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return value === 'C' ? 1 : value === 'I' ? 0 : value === 'P' ? 0.5 : undefined;
}

/** Long texts stand once in a sample, under their hash; messages that come back stand in a pool. */
class Texts {
  private readonly attachments: JsonObject;
  private readonly pool: readonly unknown[];

  constructor(sample: JsonObject) {
    this.attachments = objectAt(sample, 'attachments');
    this.pool = listAt(sample, 'message_pool');
  }

  resolve(stored: string): string {
    const hash = /^(?:attachment|tc):\/\/(\w+)$/.exec(stored)?.[1];
    const found = hash === undefined ? undefined : this.attachments[hash];
    return typeof found === 'string' ? found : stored;
  }

  input(event: JsonObject): readonly unknown[] {
    const referenced = listAt(event, 'input_refs').flatMap((range) => (Array.isArray(range) && typeof range[0] === 'number' && typeof range[1] === 'number' ? this.pool.slice(range[0], range[1]) : []));
    return [...referenced, ...listAt(event, 'input')];
  }
}

function modelEvent(draft: SessionDraft, tree: RequestTree, event: JsonObject, json: string, texts: Texts, at: { readonly position: { file: string; line: number; byteOffset: number }; readonly validUtf8: boolean }): void {
  const output = objectAt(event, 'output');
  const choice = objectsAt(output, 'choices')[0]?.item ?? {};
  const sampled = withRawArguments(assistantParts(objectAt(choice, 'message'), json, ['output', 'choices', 0, 'message'], texts), objectAt(objectAt(event, 'call'), 'response'));
  const tools = toolsOf(event, json);
  if (draft.tools.status === 'unknown') draft.tools = tools;
  const messages = texts.input(event).flatMap((message) => (isObject(message) ? (inputMessage(message, texts) ?? []) : []));
  const first = messages[0];
  if (draft.systemPrompt.status === 'unknown' && first?.role === 'system') draft.systemPrompt = { status: 'known', value: first.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
  const path = tree.follow(emptyPath(event['pending'] === true ? 'approximate' : 'exact'), messages);
  if (sampled.length === 0) return;
  const usage = objectAt(output, 'usage');
  const counted = usageOf(usage['input_tokens'], usage['output_tokens']);
  const model = text(output['model']) ?? text(event['model']);
  const id = text(event['uuid']) ?? text(objectAt(choice, 'message')['id']);
  // An answer from the cache of the harness was sampled before, in another run.
  const fromCache = event['cache'] === 'read';
  tree.reply(path, {
    ...(id === undefined ? {} : { id }), sampled, position: at.position, validUtf8: at.validUtf8, finishReason: REASONS[text(choice['stop_reason']) ?? ''] ?? 'unknown',
    ...(text(output['error']) === undefined ? {} : { lossReason: 'failed-reply' }), ...(fromCache ? { lossReason: 'copied-reply' } : {}), ...(counted === undefined ? {} : { usage: counted }), ...(model === undefined ? {} : { model }),
  });
}

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', max_tokens: 'length', model_length: 'length', tool_calls: 'tool-calls', content_filter: 'aborted' };

function inputMessage(value: JsonObject, texts: Texts): SessionMessage | undefined {
  const written = contentParts(value['content'], value['role'] === 'system' ? 'system' : 'user', texts);
  switch (value['role']) {
    case 'system':
      return { role: 'system', parts: written };
    case 'user':
      return { role: 'user', parts: written };
    case 'assistant':
      return { role: 'assistant', parts: assistantParts(value, JSON.stringify(value), [], texts) };
    case 'tool': {
      const error = text(objectAt(value, 'error')['message']);
      const content = written.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
      return { role: 'tool', parts: [resultPart(text(value['tool_call_id']), content === '' && error !== undefined ? error : content, { failed: error !== undefined })] };
    }
    default:
      return undefined;
  }
}

function assistantParts(value: JsonObject, json: string, path: readonly (string | number)[], texts: Texts): MessagePart[] {
  const reasoning = text(value['reasoning']);
  const calls = objectsAt(value, 'tool_calls').map(({ item, index }): MessagePart => {
    const plain = callPart(text(item['id']), text(item['function']) ?? '', json, [...path, 'tool_calls', index, 'arguments'], item['arguments']);
    const long = plain.kind === 'tool-call' && plain.arguments.includes('://');
    return long ? { ...plain, arguments: plain.arguments.replace(/"((?:attachment|tc):\/\/\w+)"/g, (whole, reference: string) => (texts.resolve(reference) === reference ? whole : JSON.stringify(texts.resolve(reference)))) } : plain;
  });
  return [...(reasoning === undefined ? [] : [textPart(texts.resolve(reasoning), 'sampled', { kind: 'reasoning' })]), ...contentParts(value['content'], 'sampled', texts), ...calls];
}

function contentParts(content: unknown, author: 'system' | 'user' | 'sampled', texts: Texts): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(texts.resolve(content), author)];
  return objectsAt({ content }, 'content').flatMap(({ item }): MessagePart[] => {
    if (item['type'] === 'reasoning') return reasoningParts(item, texts);
    if (typeof item['text'] === 'string') return item['text'] === '' ? [] : [textPart(texts.resolve(item['text']), author)];
    return typeof item['type'] === 'string' ? [mediaPart(`${item['type']}/*`, author)] : [];
  });
}

function reasoningParts(item: JsonObject, texts: Texts): MessagePart[] {
  const summary = text(item['summary']);
  if (item['redacted'] === true) return [summary === undefined ? withheldReasoning() : summarisedReasoning(texts.resolve(summary))];
  const written = text(item['reasoning']);
  return written === undefined ? [] : [textPart(texts.resolve(written), 'sampled', { kind: 'reasoning' })];
}

/** The raw call of a chat endpoint has arguments as the model wrote them. */
function withRawArguments(parts: readonly MessagePart[], response: JsonObject): MessagePart[] {
  const message = objectAt(objectsAt(response, 'choices')[0]?.item ?? {}, 'message');
  const raw = new Map(objectsAt(message, 'tool_calls').flatMap(({ item }): [string, string][] => {
    const written = objectAt(item, 'function')['arguments'];
    const id = text(item['id']);
    return id === undefined || typeof written !== 'string' || /(?:attachment|tc):\/\//.test(written) ? [] : [[id, written]];
  }));
  return parts.map((part): MessagePart => {
    const written = part.kind === 'tool-call' && part.id !== undefined ? raw.get(part.id) : undefined;
    return written === undefined || part.kind !== 'tool-call' ? part : verbatimCall(part.id, part.name, written);
  });
}
