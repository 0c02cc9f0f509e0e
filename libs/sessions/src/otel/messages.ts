import type { MessagePart, Role, SessionMessage } from '@turnwright/contracts';
import { callPart, mediaPart, resultPart, textPart } from '../common/parts.js';
import { objectsAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { messageOf } from '../openai-messages/message.js';

const ROLES: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', model: 'assistant', tool: 'tool' };

/** Messages of the semantic conventions (parts), or of a chat endpoint. */
export function genAiMessages(list: readonly unknown[]): SessionMessage[] {
  return list.flatMap((value): SessionMessage[] => {
    if (!isObject(value)) return [];
    if (Array.isArray(value['parts'])) return partsMessage(value);
    const message = messageOf(value, JSON.stringify([value]), 0);
    return message === undefined ? [] : [message];
  });
}

/** Instructions that stand beside the messages. */
export function systemMessage(list: readonly unknown[] | undefined): SessionMessage[] {
  const texts = (list ?? []).flatMap((part) => (typeof part === 'string' ? [part] : isObject(part) ? (text(part['content']) ?? []) : []));
  return texts.length === 0 ? [] : [{ role: 'system', parts: [textPart(texts.join('\n'), 'system', { exactness: texts.length > 1 ? 're-rendered' : 'bytes' })] }];
}

function partsMessage(value: JsonObject): SessionMessage[] {
  const role = ROLES[text(value['role']) ?? ''] ?? 'user';
  const json = JSON.stringify(value);
  const author = role === 'assistant' ? 'sampled' : role === 'system' ? 'system' : role === 'tool' ? 'tool' : 'user';
  const said: MessagePart[] = [];
  const results: SessionMessage[] = [];
  for (const { item, index } of objectsAt(value, 'parts')) {
    switch (item['type']) {
      case 'text':
      case 'reasoning':
        if (typeof item['content'] === 'string' && item['content'] !== '') said.push(textPart(item['content'], author, { kind: item['type'] }));
        break;
      case 'tool_call':
        said.push(callPart(text(item['id']), text(item['name']) ?? '', json, ['parts', index, 'arguments'], item['arguments']));
        break;
      case 'tool_call_response': {
        // The schema says `response`, an example of the registry `result`.
        const response = item['response'] ?? item['result'];
        results.push({ role: 'tool', parts: [resultPart(text(item['id']), typeof response === 'string' ? response : JSON.stringify(response ?? null), { exactness: typeof response === 'string' ? 'bytes' : 're-rendered' })] });
        break;
      }
      default:
        if (typeof item['type'] === 'string') said.push(mediaPart(text(item['mime_type']) ?? `${item['type']}/*`, author));
    }
  }
  return [...(said.length > 0 ? [{ role, parts: said }] : []), ...results];
}
