import type { FinishReason, MessagePart, ModelCall, Session, SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { modelParts, seenMessages } from '../common/gemini-content.js';
import { authorOf } from '../common/harness-openers.js';
import { withAuthor } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, sayAll, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { objectAt, objectsAt, text, usageOf } from '../common/values.js';

const OPENERS = ['<system-reminder>', '<task-notification>', '<notification>', 'This is the Qwen Code.', '--- Content from referenced files ---'] as const;

/** Lines of one reply, until something else follows. */
interface OpenReply {
  readonly parts: MessagePart[];
  readonly before: PromptPath;
  readonly position: SourcePosition;
  readonly uuid: string;
  readonly responseId: string | undefined;
  value: JsonObject;
}

interface Entry {
  readonly path: PromptPath;
  /** The reply that this line is a part of. */
  readonly reply?: OpenReply;
  /** Nothing but the client's own records stands between it and this reply. */
  readonly replyBefore?: { readonly callId: string; readonly prompt: PromptPath };
  readonly responseId?: string;
}

/** A record with its text and place. */
export interface QwenRecord {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

/** Follows the tree of a chat of Qwen Code. */
export class ChatTree {
  readonly draft: SessionDraft;
  private readonly entries = new Map<string, Entry>();
  private last: string | undefined;
  private open: { readonly reply: OpenReply; readonly ids: string[] } | undefined;
  private id: string | undefined;
  private agent: ModelCall['agent'];
  private broken = false;
  private countsReplies = false;

  constructor(path: string, private readonly name: string, seen: Set<string>) {
    this.draft = new SessionDraft({ reader: 'qwen-code', path, seen });
  }

  lost(): void {
    this.broken = true;
  }

  add(record: QwenRecord): void {
    const { value } = record;
    const uuid = text(value['uuid']) ?? `line-${record.position.line}`;
    // Records that were copied behind a resume keep their ids.
    if (this.entries.has(uuid)) return;
    this.id ??= text(value['sessionId']);
    this.agent ??= agentOf(value);
    const continuesReply = value['type'] === 'assistant' && this.open?.ids.at(-1) === value['parentUuid'];
    if (!continuesReply) this.close();
    this.entries.set(uuid, this.entryOf(record, uuid, this.parentOf(value, record.position)));
    this.last = uuid;
    this.broken = false;
  }

  build(): Session {
    this.close();
    const id = this.id ?? this.name;
    return { ...this.draft.build(), id: this.agent === undefined ? id : `${id}#${this.agent.id}` };
  }

  private parentOf(value: JsonObject, position: SourcePosition): Entry {
    const parentUuid = value['parentUuid'];
    const parent = typeof parentUuid === 'string' ? this.entries.get(parentUuid) : parentUuid === undefined && this.last !== undefined ? this.entries.get(this.last) : undefined;
    if (parent !== undefined) return parent;
    const root = this.root();
    if (typeof parentUuid !== 'string') return { path: root };
    this.draft.note('warning', 'missing-parent', `Expected the record ${parentUuid}, found none before this one; the prompt is incomplete.`, position);
    return { path: breakPath(root, this.broken ? 'damaged-record' : 'missing-parent') };
  }

  /** The client puts reminders before the first message and stores none of them. */
  private root(): PromptPath {
    return emptyPath('approximate', ['system-prompt-unknown', 'tools-unknown', 'reminders-not-stored']);
  }

  private entryOf(record: QwenRecord, uuid: string, parent: Entry): Entry {
    const { value, json } = record;
    const message = objectAt(value, 'message');
    switch (value['type']) {
      case 'assistant':
        return this.assistantLine(record, uuid, parent, message);
      case 'user':
        this.ended(parent);
        return { path: sayAll(parent.path, seenMessages(message['parts'], { json, path: ['message', 'parts'] }, (written) => (value['subtype'] === 'notification' || value['provenance'] === 'system' ? 'harness' : authorOf(written, OPENERS)))) };
      case 'tool_result':
        return { path: sayAll(parent.path, seenMessages(message['parts'], { json, path: ['message', 'parts'] }, () => 'harness')) };
      case 'system':
        return this.systemRecord(record, parent);
      default:
        return { ...withoutReply(parent) };
    }
  }

  private assistantLine(record: QwenRecord, uuid: string, parent: Entry, message: JsonObject): Entry {
    const parts = modelParts(message['parts'], { json: record.json, path: ['message', 'parts'], validUtf8: record.validUtf8, thoughts: 'sampled' });
    if (this.open === undefined) {
      const before = this.retried(parent, record.position);
      this.open = { reply: { parts: [], before, position: record.position, uuid, responseId: parent.responseId, value: record.value }, ids: [] };
    }
    this.open.ids.push(uuid);
    this.open.reply.parts.push(...parts);
    this.open.reply.value = record.value;
    return { path: this.open.reply.before, reply: this.open.reply };
  }

  /**
   * A reply right behind another one is a second try with the same prompt: the first hit the token limit and was dropped, though the
   * file keeps both. A call that was cut there is stored as if it were whole.
   */
  private retried(parent: Entry, position: SourcePosition): PromptPath {
    const { replyBefore } = parent;
    if (replyBefore === undefined) return parent.path;
    const cut = this.draft.calls.find((call) => call.id === replyBefore.callId);
    if (cut !== undefined) this.draft.amend(cut.id, { finishReason: 'length', sampled: cut.sampled.map((part): MessagePart => (part.kind === 'tool-call' ? { ...part, exactness: 'damaged' } : part)) });
    this.draft.operation('retry', 'the reply before it hit the token limit', position);
    return weaken(replyBefore.prompt, 'approximate', 'retried-reply');
  }

  private close(): void {
    if (this.open === undefined) return;
    const { reply, ids } = this.open;
    this.open = undefined;
    const count = this.draft.calls.length;
    const usage = objectAt(reply.value, 'usageMetadata');
    const counted = usageOf(usage['promptTokenCount'], usage['candidatesTokenCount']);
    const model = text(reply.value['model']);
    // Where replies are counted, one that was not had been cut.
    const cut = this.countsReplies && counted === undefined && reply.responseId === undefined && !reply.parts.some((part) => part.kind === 'tool-call');
    this.countsReplies ||= counted !== undefined;
    const path = this.draft.reply(reply.before, {
      id: reply.uuid, serverId: reply.responseId ?? reply.uuid, sampled: reply.parts, position: reply.position,
      finishReason: cut ? 'aborted' : finishReasonOf(reply), ...(cut ? { lossReason: 'aborted-reply' } : {}),
      ...(counted === undefined ? {} : { usage: counted }), ...(model === undefined ? {} : { model }), ...(this.agent === undefined ? {} : { agent: this.agent }),
    });
    const callId = this.draft.calls[count]?.id;
    for (const id of ids) this.entries.set(id, { path, ...(callId === undefined ? {} : { replyBefore: { callId, prompt: reply.before } }) });
  }

  private ended({ replyBefore }: Entry): void {
    const call = this.draft.calls.find((each) => each.id === replyBefore?.callId);
    if (call?.finishReason === 'unknown') this.draft.amend(call.id, { finishReason: 'stop' });
  }

  private systemRecord({ value, json, validUtf8, position }: QwenRecord, parent: Entry): Entry {
    const payload = objectAt(value, 'systemPayload');
    switch (value['subtype']) {
      case 'chat_compression':
        return { path: this.compressed(payload, json, validUtf8, position) };
      case 'rewind':
        return this.rewound(payload, parent, position);
      case 'ui_telemetry': {
        const event = objectAt(payload, 'uiEvent');
        const responseId = event['event.name'] === 'qwen-code.api_response' ? text(event['response_id']) : undefined;
        return { ...withoutReply(parent), ...(responseId === undefined ? {} : { responseId }) };
      }
      default:
        return withoutReply(parent);
    }
  }

  private rewound(payload: JsonObject, parent: Entry, position: SourcePosition): Entry {
    const target = this.entries.get(text(payload['targetUuid']) ?? '');
    this.draft.operation('rewind', 'back to an earlier message', position);
    return target === undefined ? withoutReply(parent) : { path: target.path };
  }

  /** The history that was sent from then on; its replies are those of before. */
  private compressed(payload: JsonObject, json: string, validUtf8: boolean, position: SourcePosition): PromptPath {
    let path = this.root();
    const history = objectsAt(payload, 'compressedHistory');
    for (const { item, index } of history) {
      const place = ['systemPayload', 'compressedHistory', index, 'parts'];
      if (item['role'] === 'model') path = say(path, { role: 'assistant', parts: withAuthor(modelParts(item['parts'], { json, path: place, validUtf8, thoughts: 'sampled' }), 'copied') });
      else path = sayAll(path, seenMessages(item['parts'], { json, path: place }, (written) => (written.trimStart().startsWith('<state_snapshot>') || index === 0 ? 'summary' : authorOf(written, OPENERS))));
    }
    this.draft.operation('compaction', `history replaced by ${history.length} messages`, position);
    return path;
  }
}

/** A finished request is told of before its reply is stored; one that hit the limit is tried again at once. */
function finishReasonOf(reply: OpenReply): FinishReason {
  if (reply.parts.some((part) => part.kind === 'tool-call')) return 'tool-calls';
  return reply.responseId === undefined ? 'unknown' : 'stop';
}

function withoutReply({ path, replyBefore, responseId }: Entry): Entry {
  return { path, ...(replyBefore === undefined ? {} : { replyBefore }), ...(responseId === undefined ? {} : { responseId }) };
}

/** An agent's own file; its name ends with the call that started it. */
function agentOf(value: JsonObject): ModelCall['agent'] {
  const id = text(value['agentId']);
  if (id === undefined || value['isSidechain'] !== true) return undefined;
  const name = text(value['agentName']);
  const toolCallId = name !== undefined && id.startsWith(`${name}-`) ? text(id.slice(name.length + 1)) : undefined;
  return { id, ...(toolCallId === undefined ? {} : { toolCallId }) };
}

/** True for a piece of a record that no prompt is made of. */
export function isOnlyTelemetry(piece: string): boolean {
  return /"type":"system"/.test(piece.slice(0, 400)) && !/chat_compression|rewind/.test(piece.slice(0, 800));
}

/** True for a record of this format. */
export function isQwenRecord(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['type'] === 'string';
}
