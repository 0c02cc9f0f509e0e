import type { FinishReason, ModelCall, Session, SessionMessage } from '@turnwright/contracts';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, sayAll, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { count, objectAt, text, usageOf } from '../common/values.js';
import type { Step } from './projection.js';
import { isCleared, resultMessages, sampledParts, stepsOf, userMessage } from './projection.js';
import type { StoredMessage, StoredSession } from './stored-session.js';

/** Which call started the agent whose session has this id. */
export type AgentStarts = Map<string, { readonly callId: string; readonly toolCallId: string }>;

/** Something that stands in requests, with how to say it at a given time. */
interface Turn {
  readonly message: StoredMessage;
  say(path: PromptPath, time: number): PromptPath;
  /** Whether its outputs change between two times. */
  changes(from: number, to: number): boolean;
}

/** Makes calls of a stored session, by the rules by which the client makes requests of it (message-v2.ts). */
export function buildSession(stored: StoredSession, options: { readonly path: string; readonly seen: Set<string>; readonly starts: AgentStarts }): Session {
  const draft = new SessionDraft({ reader: 'opencode', path: options.path, seen: options.seen, id: stored.id });
  const builder = new Builder(draft, stored, options.starts);
  for (const message of stored.messages) builder.add(message);
  return draft.build();
}

class Builder {
  private turns: Turn[] = [];
  private path: PromptPath;
  private time = 0;
  private compaction: { readonly index: number; readonly tail: string | undefined } | undefined;

  constructor(private readonly draft: SessionDraft, private readonly stored: StoredSession, private readonly starts: AgentStarts) {
    this.path = this.start();
  }

  add(message: StoredMessage): void {
    if (message.info['role'] === 'user') this.user(message);
    else if (message.info['role'] === 'assistant') this.assistant(message);
  }

  private start(): PromptPath {
    const empty = emptyPath('reconstructed', ['system-prompt-unknown', 'tools-unknown']);
    return this.stored.repliesOnly === true ? breakPath(empty, 'user-messages-not-recorded') : empty;
  }

  private user(message: StoredMessage): void {
    const compaction = message.parts.find((part) => part.value['type'] === 'compaction');
    if (compaction !== undefined) this.compaction = { index: this.turns.length, tail: text(compaction.value['tail_start_id']) };
    const { message: said, rewritten } = userMessage(message);
    this.turn({ message, say: (path) => say(rewritten ? weaken(path, 'approximate', 'rewritten-by-client') : path, said), changes: () => false });
  }

  private turn(turn: Turn): void {
    this.turns.push(turn);
    this.path = turn.say(this.path, this.time);
  }

  private assistant(message: StoredMessage): void {
    const created = count(objectAt(message.info, 'time')['created']) ?? this.time;
    for (const [index, step] of stepsOf(message).entries()) {
      this.clear(message, created);
      this.step(message, step, index, created);
    }
    if (message.info['summary'] === true && this.compaction !== undefined && message.info['finish'] !== undefined) this.compact(message, created);
  }

  /** Outputs that were cleared since the last request make another prompt. */
  private clear(message: StoredMessage, created: number): void {
    const before = this.time;
    this.time = Math.max(before, created);
    if (before === 0 || !this.turns.some((turn) => turn.changes(before, this.time))) return;
    this.draft.operation('cleared-results', 'old outputs were taken out of the request', message.position);
    this.path = this.turns.reduce((path, turn) => turn.say(path, this.time), this.start());
  }

  private step(message: StoredMessage, step: Step, index: number, created: number): void {
    const sampled = sampledParts(step);
    if (sampled.length === 0) return;
    const { info } = message;
    const error = text(objectAt(info, 'error')['name']);
    const summary = info['summary'] === true;
    const position = step.parts[0]?.position ?? message.position;
    const finishReason = finishReasonOf(message, step, error);
    const tokens = objectAt(step.finish?.value ?? info, 'tokens');
    const cache = objectAt(tokens, 'cache');
    const usage = step.finish === undefined && count(tokens['output']) === 0 ? undefined : usageOf((count(tokens['input']) ?? Number.NaN) + (count(cache['read']) ?? 0) + (count(cache['write']) ?? 0), tokens['output']);
    const model = text(info['modelID']) ?? text(objectAt(info, 'model')['modelID']);
    const before = this.draft.calls.length;
    // A summary is asked for with one text of the whole conversation, which is not stored.
    const prompt = summary ? breakPath(this.start(), 'compaction-prompt-not-stored') : this.path;
    const cut = finishReason === 'aborted' || finishReason === 'failed';
    const after = this.draft.reply(prompt, {
      id: index === 0 ? message.id : `${message.id}#${index + 1}`, sampled, finishReason, position, validUtf8: step.parts.every((part) => part.validUtf8), partlyDamaged: sampled.every((part) => part.kind === 'tool-call' || part.exactness !== 'damaged'),
      ...(cut ? { lossReason: finishReason === 'failed' ? 'failed-reply' : 'aborted-reply' } : {}),
      ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }), ...this.agent(),
    });
    const callId = this.draft.calls[before]?.id;
    if (callId !== undefined) this.noteStarts(step, callId);
    if (summary) return;
    const said = after.head?.message;
    // A reply that failed is left out of later requests; one that was stopped stays as far as it came.
    if (finishReason === 'failed' || said === undefined) return;
    this.path = after;
    const turn: Turn = {
      message,
      say: (path, time) => sayAll({ ...say(path, said), parentId: callId }, resultMessages(step, time)),
      changes: (from, to) => step.parts.some((part) => isCleared(part.value, to) && !isCleared(part.value, from)),
    };
    this.turns.push(turn);
    this.path = sayAll(after, resultMessages(step, created));
  }

  /** From then on: the question, the summary, what was kept of the turns before, and what follows. */
  private compact(message: StoredMessage, created: number): void {
    const { index, tail } = this.compaction ?? { index: 0, tail: undefined };
    this.compaction = undefined;
    const written = message.parts.flatMap((part) => (part.value['type'] === 'text' ? (text(part.value['text']) ?? []) : [])).join('');
    const summary: SessionMessage = { role: 'assistant', parts: [{ kind: 'text', text: written, author: 'copied', exactness: 'bytes' }] };
    const tailStart = tail === undefined ? -1 : this.turns.findIndex((turn) => turn.message.id === tail);
    const kept = tailStart < 0 ? [] : this.turns.slice(tailStart, index);
    this.turns = [...this.turns.slice(index, index + 1), { message, say: (path) => ({ ...say(weaken(path, 'approximate', 'compacted'), summary), parentId: undefined }), changes: () => false }, ...kept];
    this.time = Math.max(this.time, created);
    this.path = this.turns.reduce((path, turn) => turn.say(path, this.time), this.start());
    this.draft.operation('compaction', `history replaced by a summary${kept.length > 0 ? ` and ${kept.length} messages` : ''}`, message.position);
  }

  private agent(): { agent?: NonNullable<ModelCall['agent']> } {
    const { id, parentId } = this.stored;
    if (parentId === undefined) return {};
    const start = this.starts.get(id);
    return { agent: { id, ...(start === undefined ? {} : { parentCallId: start.callId, toolCallId: start.toolCallId }) } };
  }

  private noteStarts(step: Step, callId: string): void {
    for (const { value } of step.parts) {
      const state = objectAt(value, 'state');
      const child = text(objectAt(state, 'metadata')['sessionId']) ?? /<task id="([^"]+)"/.exec(text(state['output']) ?? '')?.[1];
      const toolCallId = text(value['callID']);
      if (value['type'] === 'tool' && child !== undefined && toolCallId !== undefined) this.starts.set(child, { callId, toolCallId });
    }
  }
}

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', 'end-turn': 'stop', end_turn: 'stop', length: 'length', 'tool-calls': 'tool-calls', tool_calls: 'tool-calls', error: 'failed' };

function finishReasonOf({ info }: StoredMessage, step: Step, error: string | undefined): FinishReason {
  const stated = REASONS[text(step.finish?.value['reason']) ?? ''];
  if (stated !== undefined) return stated;
  if (error === 'MessageOutputLengthError') return 'length';
  if (error !== undefined) return /Abort/.test(error) ? 'aborted' : 'failed';
  if (step.parts.some((part) => part.value['type'] === 'tool')) return 'tool-calls';
  return REASONS[text(info['finish']) ?? ''] ?? 'unknown';
}
