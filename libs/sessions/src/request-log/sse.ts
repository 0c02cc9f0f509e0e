import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { objectAt, objectsAt, text } from '../common/values.js';

/** A streamed reply put together again: the response as it would have been without streaming; undefined when there is no whole event in it. */
export function joinStream(stream: string): JsonObject | undefined {
  const events = stream.split(/\r?\n/).flatMap((line): JsonObject[] => {
    const data = /^data:\s?(.*)$/.exec(line)?.[1];
    const value = data === undefined ? undefined : parsed(data);
    return value === undefined ? [] : [value];
  });
  if (events.length === 0) return undefined;
  const done = events.findLast((event) => (event['type'] === 'response.completed' || event['type'] === 'response.incomplete') && isObject(event['response']));
  if (done !== undefined) return objectAt(done, 'response');
  if (events.some((event) => event['type'] === 'message_start')) return anthropicMessage(events);
  return chatCompletion(events);
}

function parsed(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function chatCompletion(events: readonly JsonObject[]): JsonObject | undefined {
  let content = '';
  let reasoning = '';
  let finish: unknown;
  const calls = new Map<number, { id: unknown; name: string; arguments: string }>();
  for (const event of events) {
    const choice = objectsAt(event, 'choices')[0]?.item ?? {};
    const delta = objectAt(choice, 'delta');
    content += text(delta['content']) ?? '';
    reasoning += text(delta['reasoning_content']) ?? text(delta['reasoning']) ?? '';
    finish = choice['finish_reason'] ?? finish;
    for (const { item } of objectsAt(delta, 'tool_calls')) {
      const index = typeof item['index'] === 'number' ? item['index'] : calls.size;
      const call = calls.get(index) ?? { id: undefined, name: '', arguments: '' };
      const written = objectAt(item, 'function');
      calls.set(index, { id: item['id'] ?? call.id, name: call.name + (text(written['name']) ?? ''), arguments: call.arguments + (text(written['arguments']) ?? '') });
    }
  }
  const first = events[0] ?? {};
  if (!events.some((event) => Array.isArray(event['choices']))) return undefined;
  const toolCalls = [...calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }));
  const message = { role: 'assistant', content, ...(reasoning === '' ? {} : { reasoning_content: reasoning }), ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) };
  return { id: first['id'], model: first['model'], choices: [{ message, finish_reason: finish ?? 'aborted' }], usage: events.findLast((event) => isObject(event['usage']))?.['usage'] };
}

function anthropicMessage(events: readonly JsonObject[]): JsonObject {
  const started = objectAt(events.find((event) => event['type'] === 'message_start') ?? {}, 'message');
  const blocks: Record<string, unknown>[] = [];
  for (const event of events) {
    const index = typeof event['index'] === 'number' ? event['index'] : blocks.length - 1;
    if (event['type'] === 'content_block_start') blocks[index] = { ...objectAt(event, 'content_block') };
    const block = blocks[index];
    if (event['type'] !== 'content_block_delta' || block === undefined) continue;
    const delta = objectAt(event, 'delta');
    for (const [key, from] of [['text', 'text'], ['thinking', 'thinking'], ['input', 'partial_json']] as const) {
      if (typeof delta[from] === 'string') block[key] = `${typeof block[key] === 'string' ? block[key] : ''}${delta[from]}`;
    }
  }
  const last = events.findLast((event) => event['type'] === 'message_delta') ?? {};
  const stop = objectAt(last, 'delta')['stop_reason'] ?? 'aborted';
  return { ...started, content: blocks.filter((block) => block !== undefined), stop_reason: stop, usage: { ...objectAt(started, 'usage'), ...objectAt(last, 'usage') } };
}

