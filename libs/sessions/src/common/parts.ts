import type { Author, Exactness, JsonText, MessagePart, Role, SessionMessage } from '@turnwright/contracts';
import { respaceJson, findRaw } from '../json-lines/raw-json.js';
import { wellFormed } from '../well-formed.js';

type Path = readonly (string | number)[];

/** Text or reasoning as stored. A lone surrogate or a byte that is no UTF-8 damages what was sampled; what a model saw of it was U+FFFD. */
export function textPart(stored: string, author: Author, options: { readonly kind?: 'text' | 'reasoning'; readonly exactness?: Exactness; readonly validUtf8?: boolean } = {}): MessagePart {
  const clean = wellFormed(stored);
  const whole = clean === stored && options.validUtf8 !== false;
  return { kind: options.kind ?? 'text', text: clean, author, exactness: whole ? (options.exactness ?? 'bytes') : author === 'sampled' ? 'damaged' : 're-rendered' };
}

/** Reasoning whose text is gone: it happened, and that is all that is known. */
export function withheldReasoning(author: Author = 'sampled'): MessagePart {
  return { kind: 'reasoning', text: '', author, exactness: 'withheld' };
}

/** A digest of reasoning, which the model did not write. */
export function summarisedReasoning(stored: string, author: Author = 'sampled'): MessagePart {
  return { kind: 'reasoning', text: wellFormed(stored), author, exactness: 'summary-only' };
}

/** A call whose argument string was stored as it was sampled. */
export function verbatimCall(id: string | undefined, name: string, stored: string, validUtf8 = true): MessagePart {
  const clean = wellFormed(stored);
  return { kind: 'tool-call', ...(id === undefined ? {} : { id }), name, arguments: clean, author: 'sampled', exactness: clean === stored && validUtf8 ? 'bytes' : 'damaged' };
}

/** A call of which only the value of the arguments was stored; number lexemes and key order are kept. */
export function parsedCall(id: string | undefined, name: string, json: string, path: Path): MessagePart {
  return { kind: 'tool-call', ...(id === undefined ? {} : { id }), name, arguments: rawJson(json, path) ?? '{}', author: 'sampled', exactness: 're-rendered' };
}

/** A call with arguments that are a string as sampled or a value, whichever the recorder kept. */
export function callPart(id: string | undefined, name: string, json: string, path: Path, stored: unknown, validUtf8 = true): MessagePart {
  return typeof stored === 'string' ? verbatimCall(id, name, stored, validUtf8) : parsedCall(id, name, json, path);
}

/** A call whose argument is free text and no JSON, such as a patch: the text stands under `input`, and was sampled without these quotes. */
export function freeFormCall(id: string | undefined, name: string, input: string): MessagePart {
  return { kind: 'tool-call', ...(id === undefined ? {} : { id }), name, arguments: `{"input": ${JSON.stringify(wellFormed(input))}}`, author: 'sampled', exactness: 're-rendered' };
}

/** What a tool gave back. */
export function resultPart(toolCallId: string | undefined, stored: string, options: { readonly failed?: boolean; readonly exactness?: Exactness } = {}): MessagePart {
  const clean = wellFormed(stored);
  return {
    kind: 'tool-result', ...(toolCallId === undefined ? {} : { toolCallId }), text: clean, ...(options.failed === true ? { failed: true } : {}),
    author: 'tool', exactness: clean === stored ? (options.exactness ?? 'bytes') : 're-rendered',
  };
}

/** A medium that the model saw and the file does not hold as text. */
export function mediaPart(mediaType: string, author: Author): MessagePart {
  return { kind: 'media', mediaType, author, exactness: 'withheld' };
}

/** A message of one part. */
export function message(role: Role, ...parts: readonly MessagePart[]): SessionMessage {
  return { role, parts };
}

/** The JSON text of a value inside another, spelled as Python prints it. */
export function rawJson(json: string, path: Path): JsonText | undefined {
  const span = findRaw(json, path);
  return span === undefined ? undefined : respaceJson(json.slice(span.start, span.end));
}

/** Parts with another author, such as replies that are only context here. */
export function withAuthor(parts: readonly MessagePart[], author: Author): MessagePart[] {
  return parts.map((part): MessagePart => ({ ...part, author }));
}
