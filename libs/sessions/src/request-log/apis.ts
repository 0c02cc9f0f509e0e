import type { FinishReason, MessagePart, RecordedTokens, SessionMessage } from '@turnwright/contracts';
import { itemOf } from '../codex/item.js';
import { blockMessages, blockReply } from '../common/anthropic-content.js';
import { rawItems } from '../common/document.js';
import { authorOf } from '../common/harness-openers.js';
import { message, textPart } from '../common/parts.js';
import { listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { messageOf } from '../openai-messages/message.js';
import type { Exchange } from './exchange.js';

/** A reply as an endpoint gave it. */
export interface ApiReply {
  readonly sampled: readonly MessagePart[];
  readonly finishReason: FinishReason;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  readonly tokens?: RecordedTokens;
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop', end_turn: 'stop', stop_sequence: 'stop', completed: 'stop', length: 'length', max_tokens: 'length', max_output_tokens: 'length', model_context_window_exceeded: 'length',
  tool_calls: 'tool-calls', tool_use: 'tool-calls', function_call: 'tool-calls', aborted: 'aborted', refusal: 'aborted', content_filter: 'aborted', error: 'failed', failed: 'failed',
};

/** The messages of a request in the order in which the model saw them. */
export function requestMessages({ request, requestJson, response }: Exchange): SessionMessage[] {
  if (!Array.isArray(request['messages'])) return itemMessages(request, requestJson);
  const list = listAt(request, 'messages');
  const raws = rawItems(requestJson, ['messages']);
  if (isAnthropic(request, response)) return [...systemMessages(request['system']), ...list.flatMap((value, index) => (isObject(value) ? blocks(value, raws[index]?.json ?? '{}') : []))];
  return list.flatMap((value, index) => messageOf(value, `[${raws[index]?.json ?? ''}]`, 0) ?? []);
}

/** The reply of a response; undefined when it holds none. */
export function replyOf({ response, responseJson }: Exchange, validUtf8: boolean): ApiReply | undefined {
  if (Array.isArray(response['choices'])) return chatReply(response, responseJson);
  if (Array.isArray(response['output'])) return itemReply(response, responseJson, validUtf8);
  const usage = objectAt(response, 'usage');
  const cached = ['cache_read_input_tokens', 'cache_creation_input_tokens'].reduce((sum, key) => sum + (typeof usage[key] === 'number' ? usage[key] : 0), 0);
  return withUsage(blockReply(response['content'], { json: responseJson, path: ['content'], validUtf8 }), text(response['stop_reason']), typeof usage['input_tokens'] === 'number' ? usage['input_tokens'] + cached : undefined, usage['output_tokens']);
}

function isAnthropic(request: JsonObject, response: JsonObject): boolean {
  if ('choices' in response) return false;
  if (request['system'] !== undefined || response['type'] === 'message' || 'stop_reason' in response) return true;
  return objectsAt(request, 'messages').some(({ item }) => objectsAt(item, 'content').some(({ item: block }) => block['type'] === 'tool_use' || block['type'] === 'tool_result'));
}

function blocks(value: JsonObject, json: string): SessionMessage[] {
  if (value['role'] === 'assistant') return [{ role: 'assistant', parts: blockReply(value['content'], { json, path: ['content'], validUtf8: true }) }];
  if (value['role'] === 'system') return systemMessages(value['content']);
  return blockMessages(value['content'], (written) => authorOf(written, ['<system-reminder>', '<command-name>', '<local-command']));
}

function systemMessages(system: unknown): SessionMessage[] {
  const texts = typeof system === 'string' ? [system] : objectsAt({ system }, 'system').flatMap(({ item }) => text(item['text']) ?? []);
  const whole = texts.join('\n\n');
  return whole === '' ? [] : [message('system', textPart(whole, 'system', { exactness: texts.length > 1 ? 're-rendered' : 'bytes' }))];
}

function itemMessages(request: JsonObject, json: string): SessionMessage[] {
  const said = [...systemMessages(request['instructions'])];
  if (typeof request['input'] === 'string') return [...said, message('user', textPart(request['input'], 'user'))];
  const list = listAt(request, 'input');
  for (const [index, raw] of rawItems(json, ['input']).entries()) {
    const value = list[index];
    if (!isObject(value)) continue;
    const item = itemOf('type' in value ? value : { type: 'message', ...value }, { json: raw.json, path: [], validUtf8: true });
    const last = said.at(-1);
    if (item.kind === 'seen') said.push(item.message);
    else if (item.kind === 'sampled' && last?.role === 'assistant') said[said.length - 1] = { role: 'assistant', parts: [...last.parts, ...item.parts] };
    else if (item.kind === 'sampled') said.push({ role: 'assistant', parts: item.parts });
  }
  return said;
}

function chatReply(response: JsonObject, json: string): ApiReply | undefined {
  const choice = objectsAt(response, 'choices')[0]?.item;
  const span = findRaw(json, ['choices', 0, 'message']);
  if (choice === undefined || span === undefined) return undefined;
  const reply = messageOf({ role: 'assistant', ...objectAt(choice, 'message') }, `[${json.slice(span.start, span.end)}]`, 0);
  const usage = objectAt(response, 'usage');
  const found = withUsage(reply?.parts ?? [], text(choice['finish_reason']), usage['prompt_tokens'], usage['completion_tokens']);
  const tokens = chatTokens(response, choice);
  return tokens === undefined ? found : { ...found, tokens };
}

/** Servers return ids on request (vLLM: `return_token_ids`), log-probs in a list of their own. */
function chatTokens(response: JsonObject, choice: JsonObject): RecordedTokens | undefined {
  const outputIds = idList(choice['token_ids']) ?? idList(choice['response_token_ids']);
  if (outputIds === undefined || outputIds.length === 0) return undefined;
  const promptIds = idList(response['prompt_token_ids']) ?? idList(choice['prompt_token_ids']);
  const logprobs = objectsAt(objectAt(choice, 'logprobs'), 'content').flatMap(({ item }) => (typeof item['logprob'] === 'number' ? [item['logprob']] : []));
  return { ...(promptIds === undefined ? {} : { promptIds }), outputIds, ...(logprobs.length === outputIds.length ? { outputLogprobs: logprobs } : {}) };
}

function idList(value: unknown): number[] | undefined {
  return Array.isArray(value) && (value as readonly unknown[]).every((id) => typeof id === 'number' && Number.isInteger(id)) ? (value as number[]) : undefined;
}

function itemReply(response: JsonObject, json: string, validUtf8: boolean): ApiReply {
  const list = listAt(response, 'output');
  const parts = rawItems(json, ['output']).flatMap((raw, index): readonly MessagePart[] => {
    const value = list[index];
    const item = isObject(value) ? itemOf(value, { json: raw.json, path: [], validUtf8 }) : undefined;
    return item?.kind === 'sampled' ? item.parts : [];
  });
  const usage = objectAt(response, 'usage');
  const cut = text(objectAt(response, 'incomplete_details')['reason']);
  return withUsage(parts, cut ?? (parts.some((part) => part.kind === 'tool-call') ? 'tool_calls' : text(response['status'])), usage['input_tokens'], usage['output_tokens']);
}

function withUsage(sampled: readonly MessagePart[], reason: string | undefined, input: unknown, output: unknown): ApiReply {
  const usage = usageOf(input, output);
  const stated = reason === undefined ? undefined : REASONS[reason];
  return { sampled, finishReason: stated ?? 'unknown', ...(usage === undefined ? {} : { usage }) };
}
