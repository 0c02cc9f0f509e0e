import type { SourcePosition } from '@turnwright/contracts';
import type { FoundObject } from '../common/json-objects.js';
import { listAt, objectAt, objectsAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/** A span with its attributes as a plain record. */
export interface Span {
  readonly id: string | undefined;
  readonly traceId: string | undefined;
  readonly attributes: JsonObject;
  readonly events: readonly { readonly name: string; readonly attributes: JsonObject }[];
  readonly startedAt: string;
  readonly position: SourcePosition;
  readonly validUtf8: boolean;
}

/** The spans of an object: itself, or all of an OTLP export. */
export function spansOf({ value, position, validUtf8 }: FoundObject): Span[] {
  if (Array.isArray(value['resourceSpans'])) {
    return objectsAt(value, 'resourceSpans').flatMap(({ item: resource }) => [...objectsAt(resource, 'scopeSpans'), ...objectsAt(resource, 'instrumentationLibrarySpans')])
      .flatMap(({ item: scope }) => objectsAt(scope, 'spans')).map(({ item }) => spanOf(item, position, validUtf8));
  }
  if (Array.isArray(value['spans'])) return objectsAt(value, 'spans').map(({ item }) => spanOf(item, position, validUtf8));
  return [spanOf(value, position, validUtf8)];
}

function spanOf(value: JsonObject, position: SourcePosition, validUtf8: boolean): Span {
  const context = objectAt(value, 'context');
  const events = objectsAt(value, 'events').map(({ item }) => ({ name: text(item['name']) ?? '', attributes: attributesOf(item['attributes']) }));
  const started = value['startTimeUnixNano'] ?? value['start_time'] ?? value['startTime'] ?? '';
  return {
    id: text(value['spanId']) ?? text(value['span_id']) ?? text(context['span_id']), traceId: text(value['traceId']) ?? text(value['trace_id']) ?? text(context['trace_id']),
    attributes: attributesOf(value['attributes']), events, startedAt: typeof started === 'string' || typeof started === 'number' ? String(started) : '', position, validUtf8,
  };
}

/** OTLP lists keys with typed values; other exports have a record. */
function attributesOf(attributes: unknown): JsonObject {
  if (isObject(attributes)) return attributes;
  return Object.fromEntries(objectsAt({ attributes }, 'attributes').map(({ item }) => [text(item['key']) ?? '', anyValue(objectAt(item, 'value'))]));
}

function anyValue(value: JsonObject): unknown {
  if (isObject(value['arrayValue'])) return objectsAt(value['arrayValue'], 'values').map(({ item }) => anyValue(item));
  if (isObject(value['kvlistValue'])) return Object.fromEntries(objectsAt(value['kvlistValue'], 'values').map(({ item }) => [text(item['key']) ?? '', anyValue(objectAt(item, 'value'))]));
  if (typeof value['intValue'] === 'string') return Number(value['intValue']);
  return value['stringValue'] ?? value['intValue'] ?? value['doubleValue'] ?? value['boolValue'];
}

/** A list that an attribute holds, structured or as JSON text. */
export function listAttribute(span: Span, ...keys: readonly string[]): readonly unknown[] | undefined {
  for (const key of keys) {
    const value = span.attributes[key];
    if (Array.isArray(value)) return value as readonly unknown[];
    if (typeof value !== 'string') continue;
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) return parsed as readonly unknown[];
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Messages that flat keys spell out: `PREFIX.N.role`, `PREFIX.N.content`, and calls under them. */
export function flatMessages(span: Span, prefix: string): JsonObject[] {
  const messages = new Map<number, Record<string, unknown>>();
  const calls = new Map<string, { index: number; id?: unknown; name?: unknown; arguments?: unknown }>();
  for (const [key, value] of Object.entries(span.attributes)) {
    const found = new RegExp(`^${prefix.replaceAll('.', '\\.')}\\.(\\d+)\\.(?:message\\.)?(.+)$`).exec(key);
    if (found === null) continue;
    const index = Number(found[1]);
    const field = found[2] ?? '';
    const message = messages.get(index) ?? {};
    messages.set(index, message);
    const call = /^tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(field);
    if (call === null) message[field] = value;
    else calls.set(`${index}.${call[1]}`, { ...calls.get(`${index}.${call[1]}`), index, [call[2] ?? '']: value });
  }
  for (const { index, id, name, arguments: written } of calls.values()) {
    const message = messages.get(index);
    if (message !== undefined) message['tool_calls'] = [...listAt(message, 'tool_calls'), { id, type: 'function', function: { name, arguments: written } }];
  }
  return [...messages.entries()].sort(([a], [b]) => a - b).map(([, message]) => message);
}
