import type { ContextOperation, Diagnostic, MessagePart, PromptNode, SessionMessage } from '@turnwright/contracts';
import { extendPrompt, promptMessages } from '@turnwright/contracts';
import type { RecordContent } from './content.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { ResultIndex } from './paths.js';
import { pathTo } from './paths.js';
import type { PromptState } from './prompt-state.js';
import { because, EMPTY_PROMPT, holdsToolCall } from './prompt-state.js';
import { preservedEntries } from './preserved.js';
import type { Reply, ReplyIndex } from './replies.js';

/** What stands where a result was cleared from the prompt. */
export const CLEARED_RESULT = '[Old tool result content cleared]';

/** What the builder needs to know of a session. */
export interface PromptSources {
  readonly file: FileIndex;
  readonly replies: ReplyIndex;
  readonly results: ResultIndex;
  readonly contents: ReadonlyMap<number, RecordContent>;
  /** The id of the call that a reply is here; undefined where it only is context. */
  readonly callIdOf: (reply: Reply) => string | undefined;
}

/** A context operation and the reply that first sees it. */
export interface SeenOperation {
  readonly kind: ContextOperation['kind'];
  readonly entry: Entry;
  readonly reply: Reply;
  readonly detail: string;
}

/**
 * Builds the prompt of each reply from the prompt of the reply before it, so that what they share is the same nodes.
 *
 * order  replies in file order, each once; a reply that continues another comes after it, since parents stand before children
 */
export class PromptBuilder {
  readonly operations = new Map<string, SeenOperation>();
  readonly diagnostics: Diagnostic[] = [];
  private readonly prompts = new Map<Reply, PromptState>();
  private readonly continuations = new Map<Reply, PromptState>();
  private readonly nodes = new Map<PromptNode | undefined, Map<SessionMessage, PromptNode>>();
  private readonly firstTurns = new Map<Reply | string, Entry>();
  private readonly orphans = new Set<number>();

  constructor(private readonly sources: PromptSources) {}

  promptOf(reply: Reply): PromptState {
    const known = this.prompts.get(reply);
    if (known !== undefined) return known;
    const { file, replies, results } = this.sources;
    const path = pathTo(file, replies, results, reply);
    this.noteBranch(reply, path.base.kind === 'reply' ? path.base.reply : `${path.base.kind} ${reply.agent}`, path.between);
    let state = EMPTY_PROMPT;
    if (path.base.kind === 'reply') state = this.after(path.base.reply);
    if (path.base.kind === 'missing') state = because(EMPTY_PROMPT, 'unknownPrefix', 'missing-parent');
    state = path.base.kind === 'compaction' ? this.afterCompaction(path.base.boundary, path.between, reply) : this.withRecords(state, path.between, reply);
    this.prompts.set(reply, state);
    return state;
  }

  /** The prompt with the reply in it, before anything that follows. */
  private after(reply: Reply): PromptState {
    const known = this.continuations.get(reply);
    if (known !== undefined) return known;
    const prompt = this.promptOf(reply);
    const message = this.replyMessage(reply, reply.lines);
    const state = message === undefined ? prompt : this.withReply(prompt, reply, message);
    this.continuations.set(reply, state);
    return state;
  }

  private withReply(state: PromptState, reply: Reply, message: SessionMessage): PromptState {
    const next = { ...state, head: this.node(state.head, message), replies: { reply, previous: state.replies }, continued: reply };
    return reply.damaged ? because(next, 'incomplete', 'damaged-record') : next;
  }

  /** A reply as later prompts hold it; retracted replies and API errors are not sent back, blank texts neither. */
  private replyMessage(reply: Reply, lines: readonly Entry[]): SessionMessage | undefined {
    if (reply.retracted || lines.every((line) => line.apiError)) return undefined;
    const callId = this.sources.callIdOf(reply);
    const stored = lines.flatMap((line) => this.sources.contents.get(line.index)?.parts ?? []);
    const parts = stored.filter((part) => part.kind !== 'text' || part.text.trim() !== '').map((part): MessagePart => (callId === undefined && part.author === 'sampled' ? { ...part, author: 'copied' } : part));
    return parts.length === 0 ? undefined : { role: 'assistant', parts, ...(callId === undefined ? {} : { callId }) };
  }

  private withRecords(start: PromptState, entries: readonly Entry[], reply: Reply): PromptState {
    let state = start;
    const answered = new Set<string>();
    for (const entry of entries) state = this.withRecord(state, entry, reply, answered);
    return state;
  }

  private withRecord(start: PromptState, entry: Entry, reply: Reply, answered: Set<string>): PromptState {
    if (entry.kind === 'damaged') return because(start, 'incomplete', 'damaged-record');
    if (entry.subtype === 'microcompact_boundary') return this.withClearedResults(start, entry, reply);
    const content = this.sources.contents.get(entry.index);
    if (content === undefined) return start;
    let state = entry.validUtf8 ? start : because(start, 'incomplete', 'damaged-record');
    if (content.unrendered) state = because(state, 'approximate', 'attachment-text-unknown');
    for (const message of content.messages) {
      if (message.role === 'tool' && !this.accepts(state, message, entry, answered)) continue;
      state = { ...state, head: this.node(state.head, message) };
    }
    return state;
  }

  /** A result whose call is not in the prompt cannot be sent: the API refuses it, and so does the harness. */
  private accepts(state: PromptState, message: SessionMessage, entry: Entry, answered: Set<string>): boolean {
    const id = message.parts.find((part) => part.kind === 'tool-result')?.toolCallId;
    if (id !== undefined && answered.has(id)) return false;
    if (id !== undefined) answered.add(id);
    if (id !== undefined && holdsToolCall(state, id)) return true;
    if (!this.orphans.has(entry.index)) {
      const message = `Expected the tool call ${id ?? '(no id)'} in the prompt, found only its result; the result is left out.`;
      this.diagnostics.push({ severity: 'warning', code: 'orphan-tool-result', message, file: this.sources.file.path, line: entry.line, byteOffset: entry.byteOffset });
    }
    this.orphans.add(entry.index);
    return false;
  }

  private afterCompaction(boundary: Entry, between: readonly Entry[], reply: Reply): PromptState {
    this.note('compaction', boundary, reply, 'earlier messages were replaced by a summary');
    const preserved = preservedEntries(this.sources.file, boundary);
    const anchor = between.findIndex((entry) => entry.uuid !== undefined && entry.uuid === boundary.anchorUuid);
    let state = between.some((entry) => entry.summary) ? EMPTY_PROMPT : because(EMPTY_PROMPT, 'unknownPrefix', 'summary-missing');
    if (preserved.missing) state = because(state, 'unknownPrefix', 'preserved-missing');
    state = this.withRecords(state, between.slice(0, anchor + 1), reply);
    state = this.withPreserved(state, preserved.entries, reply);
    return { ...this.withRecords(state, between.slice(anchor + 1), reply), continued: undefined };
  }

  private withPreserved(start: PromptState, entries: readonly Entry[], reply: Reply): PromptState {
    let state = start;
    const answered = new Set<string>();
    const done = new Set<Reply>();
    for (const entry of entries) {
      const owner = this.sources.replies.ofEntry.get(entry.index);
      if (owner === undefined) state = this.withRecord(state, entry, reply, answered);
      if (owner === undefined || done.has(owner)) continue;
      done.add(owner);
      const message = this.replyMessage(owner, owner.lines.filter((line) => entries.includes(line)));
      if (message !== undefined) state = this.withReply(state, owner, message);
    }
    return state;
  }

  /** Microcompaction keeps the messages and empties the listed results; the file still has their text. */
  private withClearedResults(state: PromptState, boundary: Entry, reply: Reply): PromptState {
    this.note('cleared-results', boundary, reply, `${boundary.listed.length} tool results were cleared`);
    const cleared = new Set(boundary.listed);
    let head: PromptNode | undefined;
    let changed = false;
    for (const message of promptMessages(state.head)) {
      const isCleared = message.parts.some((part) => part.kind === 'tool-result' && part.toolCallId !== undefined && cleared.has(part.toolCallId));
      changed ||= isCleared;
      head = this.node(head, isCleared ? this.clearedMessage(boundary, message) : message);
    }
    return changed ? { ...state, head } : state;
  }

  private readonly clearedMessages = new Map<SessionMessage, SessionMessage>();

  private clearedMessage(_boundary: Entry, message: SessionMessage): SessionMessage {
    const known = this.clearedMessages.get(message);
    if (known !== undefined) return known;
    const parts = message.parts.flatMap((part): MessagePart[] => (part.kind === 'tool-result' ? [{ ...part, text: CLEARED_RESULT, author: 'harness', exactness: 're-rendered' }] : []));
    const cleared: SessionMessage = { role: 'tool', parts };
    this.clearedMessages.set(message, cleared);
    return cleared;
  }

  private noteBranch(reply: Reply, base: Reply | string, between: readonly Entry[]): void {
    const turn = between.find((entry) => this.sources.contents.get(entry.index)?.userTurn === true);
    if (turn === undefined) return;
    const first = this.firstTurns.get(base);
    if (first === undefined) this.firstTurns.set(base, turn);
    else if (first !== turn && reply.agent === '') this.note(this.sameText(first, turn) ? 'retry' : 'edit', turn, reply, 'another user message continues the same place');
  }

  private sameText(a: Entry, b: Entry): boolean {
    const texts = [a, b].map((entry) => JSON.stringify(this.sources.contents.get(entry.index)?.messages.map((message) => message.parts)));
    return texts[0] === texts[1];
  }

  private note(kind: SeenOperation['kind'], entry: Entry, reply: Reply, detail: string): void {
    const key = `${kind} ${entry.index}`;
    if (!this.operations.has(key)) this.operations.set(key, { kind, entry, reply, detail });
  }

  private node(head: PromptNode | undefined, message: SessionMessage): PromptNode {
    let next = this.nodes.get(head);
    if (next === undefined) this.nodes.set(head, (next = new Map()));
    let node = next.get(message);
    if (node === undefined) next.set(message, (node = extendPrompt(head, message)));
    return node;
  }
}
