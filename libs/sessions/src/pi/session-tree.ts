import type { Session, SessionMessage, SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { resultPart } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { count, objectAt, text, usageOf } from '../common/values.js';
import { finishReasonOf, isRewritten, replyParts, seenMessage, summaryMessage } from './message.js';

/** An entry of the tree, with the prompt that a reply behind it would see. */
interface Entry {
  readonly id: string | undefined;
  readonly parent: Entry | undefined;
  readonly path: PromptPath;
  /** What it added to the prompt. */
  readonly message: SessionMessage | undefined;
  readonly failed: boolean;
  /** Calls without a result so far. */
  readonly waiting: ReadonlySet<string>;
}

/** A record with its text and place. */
export interface PiRecord {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Follows the tree of a pi session: several leaves are several conversations with a common beginning. */
export class SessionTree {
  readonly draft: SessionDraft;
  private readonly entries = new Map<string, Entry>();
  /** In the order of the file, for the first version, which has no ids. */
  private readonly order: Entry[] = [];
  private readonly children = new Set<string>();
  private id: string | undefined;
  private broken = false;

  constructor(path: string, private readonly name: string, seen: Set<string>) {
    this.draft = new SessionDraft({ reader: 'pi', path, seen });
  }

  /** A record is damaged: what follows it is only known where its parent is. */
  lost(): void {
    this.broken = true;
  }

  add(record: PiRecord): void {
    const { value, position } = record;
    if (value['type'] === 'session') {
      this.header(value, position);
      return;
    }
    const parent = this.parentOf(value, position);
    const base = parent ?? this.root(value);
    const entry = this.entryOf(record, base);
    const id = text(value['id']);
    this.order.push({ ...entry, parent, id });
    if (id !== undefined && !this.entries.has(id)) this.entries.set(id, { ...entry, parent, id });
    this.broken = false;
  }

  build(): Session {
    return { ...this.draft.build(), id: this.id ?? this.name };
  }

  private header(value: JsonObject, position: SourcePosition): void {
    this.id ??= text(value['id']);
    const parent = text(value['parentSession']);
    if (parent !== undefined) this.draft.operation('fork', `from ${parent.split(/[\\/]/).at(-1) ?? parent}`, position);
  }

  private parentOf(value: JsonObject, position: SourcePosition): Entry | undefined {
    const parentId = value['parentId'];
    if (parentId === undefined) return this.order.at(-1);
    const parent = typeof parentId === 'string' ? this.entries.get(parentId) : undefined;
    if (parent !== undefined && typeof parentId === 'string') {
      const message = objectAt(value, 'message');
      if (this.children.has(parentId) && message['role'] === 'user') this.draft.operation('edit', `another branch behind ${parentId}`, position);
      if (message['role'] === 'user') this.children.add(parentId);
    }
    if (parent === undefined && typeof parentId === 'string') this.draft.note('warning', 'missing-parent', `Expected the entry ${parentId}, found none before this record; the prompt is incomplete.`, position);
    return parent;
  }

  /** Behind nothing, or behind an entry that is not there. */
  private root(value: JsonObject): Pick<Entry, 'path' | 'waiting'> {
    const empty = emptyPath('reconstructed', ['tools-unknown', 'system-prompt-unknown']);
    const detached = typeof value['parentId'] === 'string';
    return { path: detached ? breakPath(empty, 'missing-parent') : empty, waiting: NOTHING };
  }

  private entryOf(record: PiRecord, base: Pick<Entry, 'path' | 'waiting'>): Omit<Entry, 'parent' | 'id'> {
    const { value, position } = record;
    const before: Pick<Entry, 'path' | 'waiting'> = this.broken && value['parentId'] === undefined ? { ...base, path: breakPath(base.path, 'damaged-record') } : base;
    const unchanged = { ...before, message: undefined, failed: false };
    switch (value['type']) {
      case 'message':
        return this.messageEntry(record, objectAt(value, 'message'), before);
      case 'custom_message':
        return this.said(before, seenMessage({ ...value, role: 'custom' }), false);
      case 'branch_summary':
        return this.said(before, summaryMessage(value), true);
      case 'compaction':
        return { ...unchanged, path: this.compacted(value, position, before.path), waiting: NOTHING };
      case 'context_edit':
        return { ...unchanged, path: this.edited(value, position, before.path) };
      default:
        return unchanged;
    }
  }

  private messageEntry(record: PiRecord, value: JsonObject, before: Pick<Entry, 'path' | 'waiting'>): Omit<Entry, 'parent' | 'id'> {
    if (value['role'] === 'assistant') return this.reply(record, value, before);
    const message = seenMessage(value);
    if (value['role'] === 'system' && message !== undefined) return this.system(message, before);
    const toolCallId = text(value['toolCallId']);
    if (value['role'] === 'toolResult') return { ...this.said(before, message, false), waiting: toolCallId === undefined ? before.waiting : new Set([...before.waiting].filter((id) => id !== toolCallId)) };
    return this.said(this.answered(before), message, isRewritten(value));
  }

  private system(message: SessionMessage, before: Pick<Entry, 'path' | 'waiting'>): Omit<Entry, 'parent' | 'id'> {
    if (before.path.head !== undefined) return { ...before, path: weaken(before.path, 'approximate', 'system-prompt-changed'), message: undefined, failed: false };
    const known = { ...before.path, reasons: before.path.reasons.filter((reason) => reason !== 'system-prompt-unknown') };
    const said = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
    if (this.draft.systemPrompt.status === 'unknown') this.draft.systemPrompt = { status: 'known', value: said };
    return { ...before, path: say(known, message), message, failed: false };
  }

  private said(before: Pick<Entry, 'path' | 'waiting'>, message: SessionMessage | undefined, rewritten: boolean): Omit<Entry, 'parent' | 'id'> {
    if (message === undefined) return { ...before, message, failed: false };
    const path = rewritten ? weaken(before.path, 'approximate', 'rewritten-by-client') : before.path;
    return { ...before, path: say(path, message), message, failed: false };
  }

  /** Calls whose results were lost get one from the client when the conversation goes on (seen on the wire of pi 1.6.0). */
  private answered(before: Pick<Entry, 'path' | 'waiting'>): Pick<Entry, 'path' | 'waiting'> {
    let { path } = before;
    for (const id of before.waiting) path = say(path, { role: 'tool', parts: [{ ...resultPart(id, 'No result provided', { failed: true, exactness: 're-rendered' }), author: 'harness' }] });
    return { path: before.waiting.size > 0 ? weaken(path, 'reconstructed', 'call-without-output') : path, waiting: NOTHING };
  }

  private reply({ value: record, json, validUtf8, position }: PiRecord, value: JsonObject, unanswered: Pick<Entry, 'path' | 'waiting'>): Omit<Entry, 'parent' | 'id'> {
    const before = this.answered(unanswered);
    const sampled = replyParts(value, json, ['message'], validUtf8);
    const finishReason = finishReasonOf(value);
    const failed = finishReason === 'failed' || finishReason === 'aborted';
    if (sampled.length === 0 && failed) {
      this.draft.operation('retry', `the request ended without a reply${text(value['errorMessage']) === undefined ? '' : ': it failed'}`, position);
      return { ...before, message: undefined, failed: true };
    }
    const [id, serverId, model] = [text(record['id']), text(value['responseId']), text(value['model'])];
    const usage = usageFrom(objectAt(value, 'usage'));
    const path = this.draft.reply(before.path, {
      ...(id === undefined ? {} : { id }), ...(serverId === undefined ? {} : { serverId }), sampled, finishReason, position,
      ...(failed ? { lossReason: finishReason === 'failed' ? 'failed-reply' : 'aborted-reply' } : {}),
      ...(model === undefined ? {} : { model }), ...(usage === undefined ? {} : { usage }),
    });
    // A reply that was cut is shown and never sent again.
    if (failed) return { ...before, message: undefined, failed };
    const waiting = new Set(sampled.flatMap((part) => (part.kind === 'tool-call' && part.id !== undefined ? [part.id] : [])));
    return { path, message: path.head?.message, failed, waiting };
  }

  /** The summary, then what was kept from before it, as it stood. */
  private compacted(value: JsonObject, position: SourcePosition, before: PromptPath): PromptPath {
    const kept = this.keptMessages(value);
    const system = firstSystem(before);
    let path = emptyPath('approximate', [...before.reasons.filter((reason) => reason !== 'rewritten-by-client' && reason !== 'damaged-record'), 'rewritten-by-client']);
    if (system !== undefined) path = say(path, system);
    path = say(path, summaryMessage(value));
    for (const message of kept) if (message.role !== 'system') path = say(path, message);
    this.draft.operation('compaction', `${kept.length} messages kept behind a summary`, position);
    return path;
  }

  private keptMessages(value: JsonObject): SessionMessage[] {
    const messages: SessionMessage[] = [];
    const firstId = text(value['firstKeptEntryId']);
    const firstIndex = count(value['firstKeptEntryIndex']);
    if (firstId === undefined) {
      // Counted over the lines of the file, of which the header is the first.
      const from = firstIndex === undefined ? this.order.length : Math.max(0, firstIndex - 1);
      return this.order.slice(from).flatMap((entry) => entry.message ?? []);
    }
    for (let entry = this.parentEntry(value); entry !== undefined; entry = entry.parent) {
      if (entry.message !== undefined) messages.push(entry.message);
      if (entry.id === firstId) return messages.reverse();
    }
    return [];
  }

  private parentEntry(value: JsonObject): Entry | undefined {
    const parentId = text(value['parentId']);
    return parentId === undefined ? this.order.at(-1) : this.entries.get(parentId);
  }

  /** An entry is taken out of later prompts, as failed replies are before a retry. */
  private edited(value: JsonObject, position: SourcePosition, before: PromptPath): PromptPath {
    const target = this.entries.get(text(value['targetId']) ?? '');
    if (target?.message === undefined) return before;
    this.draft.operation('edit', `entry ${target.id ?? ''} taken out of the context`, position);
    const kept: SessionMessage[] = [];
    for (let node = before.head; node !== undefined; node = node.parent) if (node.message !== target.message) kept.push(node.message);
    const replaced = value['replacement'] === null || value['replacement'] === undefined ? before : weaken(before, 'approximate', 'context-edited');
    return kept.reverse().reduce(say, { ...replaced, head: undefined, fingerprint: '' });
  }
}

function firstSystem(path: PromptPath): SessionMessage | undefined {
  let first: SessionMessage | undefined;
  for (let node = path.head; node !== undefined; node = node.parent) first = node.message;
  return first?.role === 'system' ? first : undefined;
}

/** Input is counted without what came from a cache. */
function usageFrom(usage: JsonObject): ReturnType<typeof usageOf> {
  const input = count(usage['input']);
  return input === undefined ? undefined : usageOf(input + (count(usage['cacheRead']) ?? 0) + (count(usage['cacheWrite']) ?? 0), usage['output']);
}
