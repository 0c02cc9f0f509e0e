import type { Author, MessagePart, SessionMessage } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { mediaPart, parsedCall, rawJson, resultPart, summarisedReasoning, textPart } from './parts.js';
import { objectAt, text } from './values.js';

type Path = readonly (string | number)[];

/** Where the parts of a `Content` stand. */
export interface ContentSource {
  readonly json: string;
  readonly path: Path;
  readonly validUtf8: boolean;
  /** Whether thoughts are the reasoning itself or a digest of it. */
  readonly thoughts: 'sampled' | 'summaries';
}

/** What a model wrote, from the parts of a Gemini `Content`; neighbours of one kind are one text, as they were streamed. */
export function modelParts(parts: unknown, source: ContentSource): MessagePart[] {
  const found: MessagePart[] = [];
  for (const { part, index } of partsOf(parts)) {
    const added = modelPart(part, index, source);
    const last = found.at(-1);
    if (added === undefined) continue;
    if (last !== undefined && (last.kind === 'text' || last.kind === 'reasoning') && added.kind === last.kind) {
      found[found.length - 1] = { ...last, text: last.text + added.text, exactness: last.exactness === 'damaged' ? 'damaged' : added.exactness };
    } else found.push(added);
  }
  return found;
}

function modelPart(part: JsonObject, index: number, source: ContentSource): MessagePart | undefined {
  const call = part['functionCall'];
  if (isObject(call)) return parsedCall(text(call['id']), text(call['name']) ?? '', source.json, [...source.path, index, 'functionCall', 'args']);
  if (typeof part['text'] !== 'string' || part['text'] === '') return undefined;
  if (part['thought'] !== true) return textPart(part['text'], 'sampled', { validUtf8: source.validUtf8 });
  return source.thoughts === 'summaries' ? summarisedReasoning(part['text']) : textPart(part['text'], 'sampled', { kind: 'reasoning', validUtf8: source.validUtf8 });
}

/** What a model saw in a `Content` of the user: each function response is a tool message of its own. */
export function seenMessages(parts: unknown, source: Pick<ContentSource, 'json' | 'path'>, authorOf: (text: string) => Author): SessionMessage[] {
  const messages: SessionMessage[] = [];
  let said: MessagePart[] = [];
  const flush = (): void => {
    if (said.length > 0) messages.push({ role: 'user', parts: said });
    said = [];
  };
  for (const { part, index } of partsOf(parts)) {
    if (isObject(part['functionResponse'])) {
      flush();
      messages.push({ role: 'tool', parts: [functionResponse(part['functionResponse'], source, [index, 'functionResponse', 'response'])] });
    } else if (typeof part['text'] === 'string') {
      if (part['text'] !== '') said.push(textPart(part['text'], authorOf(part['text'])));
    } else if (isObject(part['inlineData']) || isObject(part['fileData'])) {
      const data = objectAt(part, isObject(part['inlineData']) ? 'inlineData' : 'fileData');
      said.push(mediaPart(text(data['mimeType']) ?? 'application/octet-stream', 'user'));
    }
  }
  flush();
  return messages;
}

/** A response is an object on the wire; its only text stands for it where it has one. */
export function functionResponse(response: JsonObject, source: Pick<ContentSource, 'json' | 'path'>, path: Path): MessagePart {
  const body = objectAt(response, 'response');
  const [key, only] = Object.entries(body)[0] ?? [];
  const plain = typeof only === 'string' && Object.keys(body).length === 1;
  const written = plain ? only : (rawJson(source.json, [...source.path, ...path]) ?? '{}');
  return resultPart(text(response['id']), written, { exactness: 're-rendered', failed: key === 'error' && plain });
}

function partsOf(parts: unknown): { readonly part: JsonObject; readonly index: number }[] {
  if (typeof parts === 'string') return [{ part: { text: parts }, index: 0 }];
  if (isObject(parts)) return [{ part: parts, index: 0 }];
  if (!Array.isArray(parts)) return [];
  return (parts as readonly unknown[]).flatMap((part, index) => (isObject(part) ? [{ part, index }] : typeof part === 'string' ? [{ part: { text: part }, index }] : []));
}
