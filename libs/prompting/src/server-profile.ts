import { AgentError } from '@turnwright/contracts';
import { RequestFault } from './continue-final-message.js';
import { parseJson, JsonNumber, type JsonValue } from './json-value.js';
import { floatRepr } from './python/text.js';

/** Which program handed the request to the template; each changes it before, in its own way. */
export type ServerProfile = 'transformers' | 'sglang' | 'vllm';

export const SERVER_PROFILES: readonly ServerProfile[] = ['transformers', 'sglang', 'vllm'];

/** The request as the client sent it, or as the template gets it. */
export interface ServedRequest {
  readonly messages: readonly JsonValue[];
  readonly tools: JsonValue;
}

type Entries = ReadonlyMap<string, JsonValue>;

/**
 * What a server makes of a request before its chat template runs.
 *
 * source vllm 017e9f44 entrypoints chat_utils and protocol; sglang 8905cbd4 serving_chat
 * throws RequestFault where the server answers 400
 */
export function asServed(profile: ServerProfile, request: ServedRequest, templateText: string): ServedRequest {
  if (profile === 'transformers') return request;
  const messages = request.messages.map((message) => servedMessage(profile, message));
  return {
    messages: profile === 'vllm' ? mergedDevelopers(messages, templateText) : endingWithUser(messages),
    tools: servedTools(profile, request.tools),
  };
}

/** One message; what a server does with the place of a message is done by `asServed`. */
export function servedMessage(profile: ServerProfile, message: JsonValue): JsonValue {
  if (profile === 'transformers' || !isEntries(message)) return message;
  const entries = new Map(message);
  entries.set('content', servedContent(profile, message.get('content') ?? null));
  const calls = message.get('tool_calls') ?? null;
  if (Array.isArray(calls) && calls.length > 0) entries.set('tool_calls', (calls as readonly JsonValue[]).map((call) => servedCall(profile, call)));
  else entries.delete('tool_calls');
  if (profile === 'sglang') return entries;
  const reasoning = entries.get('reasoning') ?? entries.get('reasoning_content');
  for (const key of entries.keys()) if (!VLLM_KEYS.has(key)) entries.delete(key);
  if (reasoning !== undefined && reasoning !== null) {
    entries.set('reasoning', reasoning);
    entries.set('reasoning_content', reasoning);
  }
  return entries;
}

const VLLM_KEYS: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id']);

/** Text parts become one text: vLLM joins them by newlines, SGLang by spaces; null is the empty text. */
function servedContent(profile: ServerProfile, content: JsonValue): JsonValue {
  if (content === null) return '';
  if (!Array.isArray(content)) return content;
  const texts = (content as readonly JsonValue[]).map((part) => (isEntries(part) && part.get('type') === 'text' ? (part.get('text') ?? '') : undefined));
  if (texts.some((text) => typeof text !== 'string')) return content;
  return texts.join(profile === 'vllm' ? '\n' : ' ');
}

function servedCall(profile: ServerProfile, call: JsonValue): JsonValue {
  if (!isEntries(call)) return call;
  const called = call.get('function');
  if (!isEntries(called)) return call;
  return new Map([...call, ['function', new Map([...called, ['arguments', servedArguments(profile, called.get('arguments') ?? null)]])]]);
}

function servedArguments(profile: ServerProfile, value: JsonValue): JsonValue {
  if (value === null || value === '' || value === 'null') return new Map();
  const parsed = typeof value === 'string' ? parseArguments(value) : value;
  if (profile === 'vllm') return parsed;
  if (!isEntries(parsed)) throw new RequestFault('sglang: the arguments of a call are no JSON object.');
  return orjsonNumbers(parsed);
}

function parseArguments(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new RequestFault(`The arguments of a call are no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** orjson keeps integers below 2^64, makes floats of larger ones, and refuses numbers that are not finite. */
function orjsonNumbers(value: JsonValue): JsonValue {
  if (value instanceof JsonNumber) {
    if (!Number.isFinite(Number(value.lexeme))) throw new RequestFault(`sglang: the number ${value.lexeme} is out of range.`);
    if (!/^-?[0-9]+$/.test(value.lexeme)) return value;
    const integer = BigInt(value.lexeme);
    return integer >= 2n ** 64n || integer < -(2n ** 63n) ? new JsonNumber(floatRepr(Number(value.lexeme))) : value;
  }
  if (isEntries(value)) return new Map([...value].map(([key, entry]) => [key, orjsonNumbers(entry)]));
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(orjsonNumbers) : value;
}

/** A template that does not know the role `developer` gets its text as the system message, at the beginning. */
function mergedDevelopers(messages: readonly JsonValue[], templateText: string): readonly JsonValue[] {
  const isDeveloper = (message: JsonValue): boolean => isEntries(message) && message.get('role') === 'developer';
  if (templateText.includes('developer') || !messages.some(isDeveloper)) return messages;
  const leading = messages.filter((message) => isDeveloper(message) || (isEntries(message) && message.get('role') === 'system'));
  const content = leading.map((message) => (isEntries(message) ? String(message.get('content') ?? '') : '')).join('\n');
  return [new Map<string, JsonValue>([['role', 'system'], ['content', content]]), ...messages.filter((message) => !leading.includes(message))];
}

/** SGLang makes a user's message of a last one of the assistant, unless it is asked to continue it. */
function endingWithUser(messages: readonly JsonValue[]): readonly JsonValue[] {
  const last = messages.at(-1);
  if (!isEntries(last) || last.get('role') !== 'assistant') return messages;
  return [...messages.slice(0, -1), new Map([...last, ['role', 'user']])];
}

/** Tools as the server's request class prints them. throws RequestFault for a tool that it refuses */
export function servedTools(profile: ServerProfile, tools: JsonValue): JsonValue {
  if (profile === 'transformers' || !Array.isArray(tools)) return tools;
  if (tools.length === 0) return null;
  return (tools as readonly JsonValue[]).map((tool) => (profile === 'vllm' ? vllmTool(tool) : sglangTool(tool)));
}

function functionOf(tool: JsonValue, server: string): Entries {
  const called = isEntries(tool) ? tool.get('function') : undefined;
  if (!isEntries(called) || typeof called.get('name') !== 'string') throw new RequestFault(`${server}: a tool needs a function with a name.`);
  return called;
}

function vllmTool(tool: JsonValue): JsonValue {
  const called = functionOf(tool, 'vllm');
  const strict = called.get('strict') ?? null;
  const entries: [string, JsonValue][] = [['name', called.get('name') ?? null], ['description', called.get('description') ?? null], ['parameters', called.get('parameters') ?? null]];
  return new Map<string, JsonValue>([['type', 'function'], ['function', new Map(strict === null ? entries : [...entries, ['strict', strict]])]]);
}

function sglangTool(tool: JsonValue): JsonValue {
  const called = functionOf(tool, 'sglang');
  const entries: [string, JsonValue][] = [['description', called.get('description') ?? null], ['name', called.get('name') ?? null], ['parameters', called.get('parameters') ?? null], ['strict', called.get('strict') ?? false]];
  const deferred = isEntries(tool) ? (tool.get('defer_loading') ?? null) : null;
  return new Map<string, JsonValue>([['type', 'function'], ['function', new Map(entries)], ['defer_loading', deferred]]);
}

function isEntries(value: JsonValue | undefined): value is Entries {
  return value instanceof Map;
}

/** throws AgentError `unknown-name` */
export function parseServerProfile(name: string): ServerProfile {
  const found = SERVER_PROFILES.find((profile) => profile === name);
  if (found === undefined) throw new AgentError('unknown-name', `Unknown server "${name}". Known: ${SERVER_PROFILES.join(', ')}.`, { fields: { name } });
  return found;
}
