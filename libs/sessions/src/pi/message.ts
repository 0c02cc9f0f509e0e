import type { Author, FinishReason, MessagePart, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { callPart, mediaPart, message, resultPart, textPart, withheldReasoning } from '../common/parts.js';
import { objectAt, objectsAt, text } from '../common/values.js';

type Path = readonly (string | number)[];

/** The blocks of a reply, in sampled order. */
export function replyParts(value: JsonObject, json: string, path: Path, validUtf8: boolean): MessagePart[] {
  if (typeof value['content'] === 'string') return value['content'] === '' ? [] : [textPart(value['content'], 'sampled', { validUtf8 })];
  return objectsAt(value, 'content').flatMap(({ item, index }): MessagePart[] => {
    switch (item['type']) {
      case 'text':
        return typeof item['text'] === 'string' && item['text'] !== '' ? [textPart(item['text'], 'sampled', { validUtf8 })] : [];
      case 'thinking':
        return typeof item['thinking'] === 'string' && item['thinking'] !== '' ? [textPart(item['thinking'], 'sampled', { kind: 'reasoning', validUtf8 })] : [withheldReasoning()];
      case 'toolCall':
        return [callPart(text(item['id']), text(item['name']) ?? '', json, [...path, 'content', index, 'arguments'], item['arguments'], validUtf8)];
      default:
        return [];
    }
  });
}

/** What a message other than a reply puts before the model; undefined when it is not sent. */
export function seenMessage(value: JsonObject): SessionMessage | undefined {
  switch (value['role']) {
    case 'system':
      return systemMessage(value);
    case 'user':
      return { role: 'user', parts: contentParts(value, 'user') };
    case 'custom':
      return { role: 'user', parts: contentParts(value, 'harness') };
    case 'toolResult': {
      const blocks = contentParts(value, 'tool');
      const written = blocks.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
      const failed = value['isError'] === true;
      return { role: 'tool', parts: [resultPart(text(value['toolCallId']), written.join('\n'), { failed, exactness: written.length > 1 ? 're-rendered' : 'bytes' }), ...blocks.filter((part) => part.kind === 'media')] };
    }
    case 'bashExecution':
      if (value['excludeFromContext'] === true) return undefined;
      return message('user', textPart(`${text(value['command']) ?? ''}\n${text(value['output']) ?? ''}`, 'harness', { exactness: 're-rendered' }));
    case 'branchSummary':
    case 'compactionSummary':
      return summaryMessage(value);
    default:
      return undefined;
  }
}

/** A summary, which the client wraps in words of its own. */
export function summaryMessage(value: JsonObject): SessionMessage {
  return message('user', textPart(text(value['summary']) ?? '', 'summary', { exactness: 're-rendered' }));
}

/** True for messages that the client rewrites on their way to the model. */
export function isRewritten(value: JsonObject): boolean {
  return value['role'] === 'bashExecution' || value['role'] === 'branchSummary' || value['role'] === 'compactionSummary';
}

const STOP_REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', endTurn: 'stop', length: 'length', toolUse: 'tool-calls', error: 'failed', aborted: 'aborted' };

export function finishReasonOf(value: JsonObject): FinishReason {
  return STOP_REASONS[text(value['stopReason']) ?? ''] ?? 'unknown';
}

/** Newer files keep the system prompt in sections; joined by blank lines they are what was sent (pi 1.6.0 against a scripted upstream). */
function systemMessage(value: JsonObject): SessionMessage {
  const sections = Object.values(objectAt(value, 'sections')).filter((section) => typeof section === 'string' && section !== '');
  const content = text(value['content']);
  const whole = [...(content === undefined ? [] : [content]), ...sections].join('\n\n');
  return { role: 'system', parts: whole === '' ? [] : [textPart(whole, 'system')] };
}

function contentParts(value: JsonObject, author: Author): MessagePart[] {
  if (typeof value['content'] === 'string') return value['content'] === '' ? [] : [textPart(value['content'], author)];
  return objectsAt(value, 'content').flatMap(({ item }): MessagePart[] => {
    if (typeof item['text'] === 'string') return [textPart(item['text'], author)];
    return item['type'] === 'image' ? [mediaPart(text(item['mimeType']) ?? 'image/*', author)] : [];
  });
}
