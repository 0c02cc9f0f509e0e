import type { Session, SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { rawItems } from '../common/document.js';
import { SessionDraft } from '../common/session-draft.js';
import { listAt, objectAt, text } from '../common/values.js';
import { ChatWalk } from './chat-walk.js';

/** A message of the chat as it stands now. */
export interface ChatMessage {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  /** Of its first record: a message keeps its place when it is written again. */
  readonly position: SourcePosition;
  /** A resume of the client stands behind it: nobody knows how it ended. */
  readonly last?: boolean;
}

/**
 * The chat as its file tells it: messages, written again whenever they change, and patches.
 *
 * Calls are taken from the list before anything is taken off it, so that rewound replies stay, on a branch of their own.
 */
export class ChatLog {
  readonly draft: SessionDraft;
  private readonly walk: ChatWalk;
  private messages: ChatMessage[] = [];
  private places = new Map<string, number>();
  private id: string | undefined;
  private damaged = false;

  constructor(path: string, private readonly name: string, seen: Set<string>) {
    this.draft = new SessionDraft({ reader: 'gemini-cli', path, seen });
    this.walk = new ChatWalk(this.draft);
  }

  /** A record is damaged; it may have been a message. */
  lost(): void {
    this.damaged = true;
  }

  add(value: JsonObject, json: string, validUtf8: boolean, position: SourcePosition): void {
    const set = value['$set'];
    if (isObject(set)) this.patch(set, json, validUtf8, position);
    else if ('$rewindTo' in value) this.rewind(text(value['$rewindTo']) ?? '', position);
    else if ('sessionId' in value && !('type' in value)) this.header(value);
    else if (text(value['type']) !== undefined || 'role' in value) this.message({ value, json, validUtf8, position });
  }

  build(): Session {
    this.walk.run(this.messages);
    return { ...this.draft.build(), id: this.id ?? this.name };
  }

  /** Also written when a session is resumed in its file. */
  header(value: JsonObject): void {
    this.id ??= text(value['sessionId']);
    this.markLast();
  }

  message(message: ChatMessage): void {
    if (this.damaged) {
      this.damaged = false;
      this.walk.breakBehind(this.messages.length);
    }
    const key = keyOf(message);
    const place = key === undefined ? undefined : this.places.get(key);
    const before = place === undefined ? undefined : this.messages[place];
    if (place !== undefined && before !== undefined) this.messages[place] = { ...message, position: before.position };
    else {
      if (key !== undefined) this.places.set(key, this.messages.length);
      this.messages.push(message);
    }
  }

  private patch(set: JsonObject, json: string, validUtf8: boolean, position: SourcePosition): void {
    if ('sessionId' in set) this.markLast();
    if (!Array.isArray(set['messages'])) return;
    this.walk.run(this.messages);
    const rewritten = this.messages.length > 0;
    const places = this.messages;
    const positions = new Map(places.flatMap((message) => (keyOf(message) === undefined ? [] : [[keyOf(message), message.position]])));
    const raw = rawItems(json, ['$set', 'messages']);
    this.messages = listAt(set, 'messages').flatMap((value, index) => (isObject(value) ? [{ value, json: raw[index]?.json ?? '{}', validUtf8, position }] : []))
      .map((message) => ({ ...message, position: positions.get(keyOf(message)) ?? position }));
    this.places = new Map(this.messages.flatMap((message, index) => (keyOf(message) === undefined ? [] : [[keyOf(message) ?? '', index]])));
    if (rewritten && this.messages.length > 1) this.draft.operation('continuation', 'the history was written anew', position);
    this.walk.rewritten ||= rewritten;
  }

  /** Takes the named message and all behind it off the list; a name that nobody has clears it, as the client does. */
  private rewind(id: string, position: SourcePosition): void {
    this.walk.run(this.messages);
    const place = this.messages.findIndex((message) => message.value['id'] === id);
    this.messages = place < 0 ? [] : this.messages.slice(0, place);
    this.places = new Map(this.messages.flatMap((message, index) => (keyOf(message) === undefined ? [] : [[keyOf(message) ?? '', index]])));
    this.draft.operation('rewind', `back to before message ${id}`, position);
  }

  private markLast(): void {
    const last = this.messages.at(-1);
    if (last !== undefined) this.messages[this.messages.length - 1] = { ...last, last: true };
  }
}

/** A resumed file has a reply and the results of its calls under one id. */
function keyOf({ value }: ChatMessage): string | undefined {
  const id = text(value['id']);
  return id === undefined ? undefined : `${text(value['type']) ?? ''} ${id} ${'functionResponse' in objectAt({ first: listAt(value, 'content')[0] }, 'first') ? 'results' : ''}`;
}
