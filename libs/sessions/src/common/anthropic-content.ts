import type { Author, MessagePart, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { callPart, mediaPart, resultPart, textPart, withheldReasoning } from './parts.js';
import { objectAt, objectsAt, text } from './values.js';

type Path = readonly (string | number)[];

/** What a model wrote, from Anthropic content blocks, in their order. */
export function blockReply(content: unknown, source: { readonly json: string; readonly path: Path; readonly validUtf8: boolean }): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content, 'sampled', source)];
  return blocksOf(content).flatMap(({ block, index }): MessagePart[] => {
    switch (block['type']) {
      case 'text':
        return typeof block['text'] === 'string' && block['text'] !== '' ? [textPart(block['text'], 'sampled', { validUtf8: source.validUtf8 })] : [];
      case 'thinking':
      case 'reasoning': {
        const thought = text(block['thinking']) ?? text(block['text']);
        return thought === undefined ? [withheldReasoning()] : [textPart(thought, 'sampled', { kind: 'reasoning', validUtf8: source.validUtf8 })];
      }
      case 'redacted_thinking':
        return [withheldReasoning()];
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        return [callPart(text(block['id']), text(block['name']) ?? '', source.json, [...source.path, index, 'input'], block['input'], source.validUtf8)];
      default:
        return [];
    }
  });
}

/** What a model saw in a message of the user: results are tool messages of their own, in their place. */
export function blockMessages(content: unknown, authorOf: (text: string) => Author, rewrite: (text: string) => string = (written) => written): SessionMessage[] {
  const messages: SessionMessage[] = [];
  let said: MessagePart[] = [];
  const flush = (): void => {
    if (said.length > 0) messages.push({ role: 'user', parts: said });
    said = [];
  };
  for (const { block } of typeof content === 'string' ? [{ block: { type: 'text', text: content } as JsonObject }] : blocksOf(content)) {
    if (block['type'] === 'tool_result') {
      flush();
      messages.push({ role: 'tool', parts: resultParts(block) });
    } else if (typeof block['text'] === 'string') {
      const written = rewrite(block['text']);
      if (written !== '') said.push(textPart(written, authorOf(written), { exactness: written === block['text'] ? 'bytes' : 're-rendered' }));
    } else if (block['type'] === 'image' || block['type'] === 'document' || block['type'] === 'file') {
      said.push(mediaPart(text(objectAt(block, 'source')['media_type']) ?? text(block['mediaType']) ?? `${String(block['type'])}/*`, 'user'));
    }
  }
  flush();
  return messages;
}

function resultParts(block: JsonObject): MessagePart[] {
  const content = block['content'];
  const id = text(block['tool_use_id']);
  const failed = block['is_error'] === true;
  if (typeof content === 'string' || content === undefined) return [resultPart(id, content ?? '', { failed })];
  const blocks = objectsAt({ content }, 'content');
  const texts = blocks.flatMap(({ item }) => (item['type'] === 'text' && typeof item['text'] === 'string' ? [item['text']] : []));
  const media = blocks.flatMap(({ item }) => (item['type'] === 'image' || item['type'] === 'document' ? [mediaPart(text(objectAt(item, 'source')['media_type']) ?? 'image/*', 'tool')] : []));
  // Some clients put structured results here and send them as JSON.
  const structured = texts.length === 0 && media.length === 0;
  return [resultPart(id, structured ? JSON.stringify(content) : texts.join('\n'), { failed, exactness: structured || texts.length > 1 ? 're-rendered' : 'bytes' }), ...media];
}

/** The blocks of a content list with their places; a string item is a text block. */
function blocksOf(content: unknown): { readonly block: JsonObject; readonly index: number }[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((item, index) => (isObject(item) ? [{ block: item, index }] : typeof item === 'string' ? [{ block: { type: 'text', text: item }, index }] : []));
}
