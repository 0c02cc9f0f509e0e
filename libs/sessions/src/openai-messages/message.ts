import type { Exactness, MessagePart, Role, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw, respaceJson } from '../json-lines/raw-json.js';
import { wellFormed } from '../well-formed.js';

const ROLES: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool', function: 'tool' };

/** A message of a row; undefined when it has no role that is known. */
export function messageOf(stored: unknown, json: string, index: number): SessionMessage | undefined {
  if (!isObject(stored)) return undefined;
  const value = 'from' in stored && !('role' in stored) ? fromShareGpt(stored) : stored;
  if (value['from'] === 'function_call') return { role: 'assistant', parts: writtenCalls(value['content']) };
  const role = typeof value['role'] === 'string' ? ROLES[value['role']] : undefined;
  if (role === undefined) return undefined;
  if (role === 'assistant') return { role, parts: assistantParts(value, json, index) };
  if (role === 'tool') return { role, parts: [toolResult(value)] };
  return { role, parts: contentParts(value['content'], role === 'system' ? 'system' : 'user') };
}

const SPEAKERS: Readonly<Record<string, string>> = { human: 'user', user: 'user', gpt: 'assistant', chatgpt: 'assistant', assistant: 'assistant', model: 'assistant', bot: 'assistant', system: 'system', observation: 'tool', tool: 'tool', function_response: 'tool' };

/** ShareGPT names a speaker and a value. */
function fromShareGpt(stored: JsonObject): JsonObject {
  const speaker = typeof stored['from'] === 'string' ? stored['from'] : '';
  return { ...stored, content: stored['value'], ...(SPEAKERS[speaker] === undefined ? {} : { role: SPEAKERS[speaker] }) };
}

/** Calls that are written as JSON text: one object with a name and arguments, or a list of them. */
function writtenCalls(written: unknown): MessagePart[] {
  if (typeof written !== 'string') return [];
  const list = written.trimStart().startsWith('[');
  const calls = parsed(list ? written : `[${written}]`);
  const json = list ? written.trim() : `[${written}]`;
  const parts = (Array.isArray(calls) ? (calls as readonly unknown[]) : []).flatMap((call, index): MessagePart[] => {
    if (!isObject(call) || typeof call['name'] !== 'string') return [];
    return [{ ...callPart(call, json, [index]), exactness: 're-rendered' } as MessagePart];
  });
  return parts.length > 0 ? parts : [textPart('text', written, 'sampled')];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reasoning, text, calls: the order in which every chat template prints them, which is the order in which they were sampled. */
function assistantParts(value: JsonObject, json: string, index: number): MessagePart[] {
  const reasoning = ['reasoning_content', 'reasoning', 'thinking'].map((key) => value[key]).find((text) => typeof text === 'string' && text !== '');
  const parts: MessagePart[] = typeof reasoning === 'string' ? [textPart('reasoning', reasoning, 'sampled')] : [];
  parts.push(...contentParts(value['content'], 'sampled'));
  const calls = Array.isArray(value['tool_calls']) ? (value['tool_calls'] as readonly unknown[]) : [];
  for (const [position, call] of calls.entries()) {
    if (isObject(call)) parts.push(callPart(call, json, [index, 'tool_calls', position]));
  }
  const legacy = value['function_call'];
  if (isObject(legacy)) parts.push(callPart({ function: legacy }, json, [index], 'function_call'));
  return parts;
}

/** An argument string is what the model wrote; an argument object is its value only. */
function callPart(call: JsonObject, json: string, path: readonly (string | number)[], key = 'function'): MessagePart {
  const wrapped = call['function'];
  const target = isObject(wrapped) ? wrapped : call;
  const id = typeof call['id'] === 'string' ? call['id'] : undefined;
  const name = typeof target['name'] === 'string' ? target['name'] : '';
  const base = { kind: 'tool-call', ...(id === undefined ? {} : { id }), name, author: 'sampled' } as const;
  const stored = target['arguments'];
  if (typeof stored === 'string') {
    const clean = wellFormed(stored);
    return { ...base, arguments: clean, exactness: clean === stored ? 'bytes' : 'damaged' };
  }
  const span = findRaw(json, [...path, ...(isObject(wrapped) ? [key] : []), 'arguments']);
  return { ...base, arguments: span === undefined ? '{}' : respaceJson(json.slice(span.start, span.end)), exactness: 're-rendered' };
}

function toolResult(value: JsonObject): MessagePart {
  const id = typeof value['tool_call_id'] === 'string' ? value['tool_call_id'] : undefined;
  const texts = contentParts(value['content'], 'tool').flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return { kind: 'tool-result', ...(id === undefined ? {} : { toolCallId: id }), text: texts.join('\n'), author: 'tool', exactness: texts.length > 1 ? 're-rendered' : 'bytes' };
}

type MessageAuthor = 'system' | 'user' | 'tool' | 'sampled';

function contentParts(content: unknown, author: MessageAuthor): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart('text', content, author)];
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((item): MessagePart[] => {
    if (typeof item === 'string') return [textPart('text', item, author)];
    if (!isObject(item)) return [];
    // LLaMA-Factory keeps each part as a type and a value.
    if (typeof item['value'] === 'string' && typeof item['type'] === 'string') return valuePart(item['type'], item['value'], author);
    const text = typeof item['text'] === 'string' ? item['text'] : item['type'] === 'refusal' && typeof item['refusal'] === 'string' ? item['refusal'] : undefined;
    if (item['type'] === 'thinking' && typeof item['thinking'] === 'string') return [textPart('reasoning', item['thinking'], author)];
    if (text !== undefined) return [textPart('text', text, author)];
    return typeof item['type'] === 'string' ? [{ kind: 'media', mediaType: item['type'], author, exactness: 'withheld' }] : [];
  });
}

function valuePart(type: string, value: string, author: MessageAuthor): MessagePart[] {
  if (type === 'tool_call' && author === 'sampled') return writtenCalls(value);
  if (type === 'tools') return [];
  return [textPart(type === 'reasoning' || type === 'thinking' ? 'reasoning' : 'text', value, author)];
}

function textPart(kind: 'text' | 'reasoning', stored: string, author: MessageAuthor): MessagePart {
  const text = wellFormed(stored);
  const damaged: Exactness = author === 'sampled' ? 'damaged' : 're-rendered';
  return { kind, text, author, exactness: text === stored ? 'bytes' : damaged };
}
