import { createHash } from 'node:crypto';
import type { ContextOperation, Diagnostic, ExclusionReason, FinishReason, Known, MessagePart, ModelCall, RecordedTokens, Session, SourcePosition, ToolDefinition } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import { withAuthor } from './parts.js';
import type { PromptPath } from './prompt-path.js';
import { contentKey, nextFingerprint } from './prompt-path.js';

/** A reply as a reader found it. */
export interface Reply {
  /** The call's id, when the file has one. */
  readonly id?: string;
  /** An id that the server made, which every copy of the reply has. Without one the conversation up to the reply tells copies. */
  readonly serverId?: string;
  readonly sampled: readonly MessagePart[];
  /** The reply as later prompts hold it, where a client changes it; absent: as sampled. */
  readonly resent?: readonly MessagePart[];
  readonly finishReason: FinishReason;
  readonly lossReason?: ExclusionReason;
  readonly model?: string;
  readonly usage?: ModelCall['usage'];
  readonly tokens?: RecordedTokens;
  readonly weight?: number;
  readonly agent?: ModelCall['agent'];
  readonly position: SourcePosition;
  /** False when the record held bytes that are no UTF-8: a part with a replacement character is then damaged. */
  readonly validUtf8?: boolean;
  /** A part of it is damaged and known to be: that part alone is not trained. */
  readonly partlyDamaged?: boolean;
  /** It was sampled in another session, whether or not that one is read. */
  readonly copied?: boolean;
}

/** A session while it is read: collects calls and what happened between them. */
export class SessionDraft {
  systemPrompt: Known<string> = { status: 'unknown' };
  tools: Known<readonly ToolDefinition[]> = { status: 'unknown' };
  reward: number | undefined;
  readonly calls: ModelCall[] = [];
  readonly operations: ContextOperation[] = [];
  readonly diagnostics: Diagnostic[] = [];
  private readonly usedIds = new Map<string, number>();
  private readonly waiting: { readonly operation: Omit<ContextOperation, 'callId'>; readonly since: number }[] = [];
  private copies: { count: number; readonly first: SourcePosition } | undefined;

  constructor(readonly options: { readonly reader: string; readonly path: string; readonly seen: Set<string>; readonly id?: string }) {}

  /** Adds a reply as a call, or as context when it was counted before, and gives the path that continues with it. */
  reply(path: PromptPath, found: Reply): PromptPath {
    const reply = found.validUtf8 === false ? { ...found, sampled: found.sampled.map(withReplacements) } : found;
    const resent = reply.resent ?? reply.sampled;
    const identity = this.identityOf(path, reply);
    const copied = reply.copied === true || this.options.seen.has(identity);
    if (copied) {
      this.copies ??= { count: 0, first: reply.position };
      this.copies.count++;
      return continued(path, withAuthor(resent, 'copied'), undefined);
    }
    this.options.seen.add(identity);
    const id = this.uniqueId(reply.id ?? `call-${this.calls.length}`);
    const lossReason = reply.lossReason ?? inherentLossReason(path, reply);
    this.calls.push({
      id, identity,
      ...(path.parentId === undefined ? {} : { parentId: path.parentId }),
      ...(reply.agent === undefined ? {} : { agent: reply.agent }),
      ...(reply.model === undefined ? {} : { model: reply.model }),
      prompt: { status: path.status, reasons: path.reasons, head: path.head },
      sampled: reply.sampled,
      finishReason: reply.finishReason,
      loss: lossReason === undefined,
      ...(lossReason === undefined ? {} : { lossReason }),
      ...(reply.weight === undefined ? {} : { weight: reply.weight }),
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
      ...(reply.tokens === undefined ? {} : { tokens: reply.tokens }),
      position: reply.position,
    });
    return continued(path, resent, id);
  }

  /** Changes what a call that was added is known to be. */
  amend(id: string, changes: Partial<Pick<ModelCall, 'finishReason' | 'usage' | 'sampled'>>): void {
    const index = this.calls.findLastIndex((call) => call.id === id);
    const call = this.calls[index];
    if (call !== undefined) this.calls[index] = { ...call, ...changes };
  }

  /** Notes an operation whose effect the next call is the first to see. */
  operation(kind: ContextOperation['kind'], detail: string, position: SourcePosition): void {
    this.waiting.push({ operation: { kind, detail, position }, since: this.calls.length });
  }

  note(severity: Diagnostic['severity'], code: string, message: string, position: SourcePosition, callId?: string): void {
    this.diagnostics.push({ severity, code, message, ...position, ...(callId === undefined ? {} : { callId }) });
  }

  /** The session, once everything was added. */
  build(): Session {
    const { reader, path } = this.options;
    const operations = this.waiting.map(({ operation, since }): ContextOperation => {
      const callId = this.calls[since]?.id;
      return { ...operation, ...(callId === undefined ? {} : { callId }) };
    });
    return {
      id: this.options.id ?? path, reader, files: [path], systemPrompt: this.systemPrompt, tools: this.tools, calls: this.calls,
      operations: [...this.operations, ...operations].sort((a, b) => a.position.byteOffset - b.position.byteOffset),
      diagnostics: [...this.diagnostics, ...this.copyNote(), ...encodingNotes(this.calls)],
      ...(this.reward === undefined ? {} : { reward: this.reward }),
    };
  }

  private identityOf(path: PromptPath, reply: Reply): string {
    const content = contentKey(reply.sampled);
    const key = reply.serverId === undefined || reply.serverId.length < LONG_ENOUGH_TO_BE_UNIQUE ? nextFingerprint(path.fingerprint, { role: 'assistant', parts: reply.sampled }) : createHash('sha256').update(reply.serverId).update(content).digest('hex');
    return `${this.options.reader}:${key}`;
  }

  private uniqueId(name: string): string {
    const used = this.usedIds.get(name) ?? 0;
    this.usedIds.set(name, used + 1);
    return used === 0 ? name : `${name}#${used + 1}`;
  }

  private copyNote(): Diagnostic[] {
    if (this.copies === undefined) return [];
    return [{ severity: 'info', code: 'copied-replies', message: `Expected replies of this session, found ${this.copies.count} that were sampled in another place; they are context only.`, ...this.copies.first }];
  }
}

/** Shorter ids, such as `msg_0`, are counters of a test server and stand in unrelated sessions. */
const LONG_ENOUGH_TO_BE_UNIQUE = 16;

function continued(path: PromptPath, parts: readonly MessagePart[], callId: string | undefined): PromptPath {
  if (parts.length === 0) return { ...path, parentId: callId };
  const said = { role: 'assistant', parts, ...(callId === undefined ? {} : { callId }) } as const;
  return { ...path, head: extendPrompt(path.head, said), parentId: callId, fingerprint: nextFingerprint(path.fingerprint, said) };
}

function withReplacements(part: MessagePart): MessagePart {
  const written = part.kind === 'tool-call' ? part.arguments : part.kind === 'media' ? '' : part.text;
  return written.includes('\uFFFD') ? { ...part, exactness: 'damaged' } : part;
}

function inherentLossReason(path: PromptPath, { sampled, tokens, partlyDamaged }: Reply): ExclusionReason | undefined {
  if (tokens !== undefined) return undefined;
  if (sampled.length === 0) return 'empty-reply';
  if (partlyDamaged !== true && sampled.some((part) => part.exactness === 'damaged')) return 'not-encodable';
  return path.incomplete ? 'prompt-incomplete' : undefined;
}

function encodingNotes(calls: readonly ModelCall[]): Diagnostic[] {
  return calls.filter((call) => call.lossReason === 'not-encodable').map((call) => ({ severity: 'warning', code: 'not-encodable', message: 'Expected text, found a lone surrogate or bytes that are no UTF-8; the reply is not trained.', ...call.position, callId: call.id }));
}
