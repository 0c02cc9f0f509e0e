import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { joinStream } from './sse.js';

/** A request and what was answered, each with its own JSON text. */
export interface Exchange {
  readonly request: JsonObject;
  readonly requestJson: string;
  readonly response: JsonObject;
  readonly responseJson: string;
  /** False when the log has the response only. */
  readonly hasRequest: boolean;
  /** Tools that the log keeps beside the request. */
  readonly tools: unknown;
}

const REQUEST_KEYS = ['request', 'request_body', 'requestBody', 'body', 'input'];
const RESPONSE_KEYS = ['response', 'response_body', 'responseBody', 'output', 'completion'];

/** The exchange that a log's row holds; undefined when it holds none. */
export function exchangeOf(row: JsonObject, json: string): Exchange | undefined {
  // Where tools are not called natively, the prompt and the reply in words are what went over the wire.
  const raw = Array.isArray(row['raw_messages']) && isObject(row['raw_response']);
  const request = raw ? { value: { messages: row['raw_messages'] } as JsonObject, json: `{"messages":${slice(json, 'raw_messages') ?? '[]'}}` } : requestOf(row, json);
  const response = raw ? { value: row['raw_response'] as JsonObject, json: slice(json, 'raw_response') ?? '{}' } : responseOf(row, json);
  if (response === undefined) return undefined;
  if (request === undefined) return { request: {}, requestJson: '{}', response: response.value, responseJson: response.json, hasRequest: false, tools: undefined };
  const kwargs = isObject(row['kwargs']) ? row['kwargs'] : {};
  return { request: request.value, requestJson: request.json, response: response.value, responseJson: response.json, hasRequest: true, tools: raw ? [] : (request.value['tools'] ?? row['tools'] ?? kwargs['tools']) };
}

interface Body {
  readonly value: JsonObject;
  readonly json: string;
}

function requestOf(row: JsonObject, json: string): Body | undefined {
  for (const key of REQUEST_KEYS) {
    const body = bodyAt(row, json, key, 'body');
    if (body !== undefined && isRequest(body.value)) return body;
  }
  return isRequest(row) ? { value: row, json } : undefined;
}

function responseOf(row: JsonObject, json: string): Body | undefined {
  for (const key of RESPONSE_KEYS) {
    const body = bodyAt(row, json, key, 'body');
    if (body !== undefined && isResponse(body.value)) return body;
  }
  return undefined;
}

/** A body as an object, as JSON in a string, as a stream of events, or inside an object with headers. */
function bodyAt(row: JsonObject, json: string, key: string, inner: string): Body | undefined {
  const stored = row[key];
  if (isObject(stored)) {
    const own = slice(json, key) ?? '{}';
    if (!isRequest(stored) && !isResponse(stored) && inner in stored) return bodyAt(stored, own, inner, 'json');
    return { value: stored, json: own };
  }
  if (typeof stored !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(stored);
    return isObject(value) ? { value, json: stored } : undefined;
  } catch {
    const value = joinStream(stored);
    return value === undefined ? undefined : { value, json: JSON.stringify(value) };
  }
}

/** True for the body of a request to a chat, messages or responses endpoint. */
export function isRequest(value: JsonObject): boolean {
  return Array.isArray(value['messages']) || (value['input'] !== undefined && ('model' in value || 'instructions' in value) && !isObject(value['input']));
}

function isResponse(value: JsonObject): boolean {
  return Array.isArray(value['choices']) || Array.isArray(value['output']) || (Array.isArray(value['content']) && (value['type'] === 'message' || 'stop_reason' in value));
}

function slice(json: string, key: string): string | undefined {
  const span = findRaw(json, [key]);
  return span === undefined ? undefined : json.slice(span.start, span.end);
}
