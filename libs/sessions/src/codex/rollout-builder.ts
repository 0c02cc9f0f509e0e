import type { Diagnostic, FinishReason, MessagePart, ModelCall, Session, SessionMessage, SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { resultPart, textPart, withAuthor } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { count, listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { Item } from './item.js';
import { itemOf } from './item.js';
import type { RolloutRecord } from './records.js';
import { toolDefinitions } from './tools.js';
import { UiTranscript } from './ui-transcript.js';

/** Items of a reply whose end was not seen yet. */
interface OpenReply {
  readonly parts: MessagePart[];
  readonly ids: string[];
  incomplete: boolean;
  readonly position: SourcePosition;
}

/** Follows the history of a rollout record by record, as `rollout_reconstruction` of Codex does, and yields a call for each run of sampled items. */
export class RolloutBuilder {
  private readonly draft: SessionDraft;
  private readonly transcript = new UiTranscript();
  private readonly unfaulted: Diagnostic[] = [];
  private path: PromptPath = emptyPath('reconstructed', ['tools-unknown']);
  private open: OpenReply | undefined;
  private id: string | undefined;
  private agent: ModelCall['agent'];
  private model: string | undefined;
  /** The history before each turn of the user, for rollbacks. */
  private turns: PromptPath[] = [];
  private beforeTurn: PromptPath | undefined;
  private openCalls = new Set<string>();
  /** Outputs since the last reply: those that are missing stand before them. */
  private outputs: SessionMessage[] = [];
  private countsReplies = false;
  private instructions: SessionMessage | undefined;
  private itemCount = 0;
  private lastCall: number | undefined;

  constructor(private readonly file: string, private readonly name: string, seen: Set<string>) {
    this.draft = new SessionDraft({ reader: 'codex', path: file, seen });
  }

  fault(fault: Diagnostic): void {
    this.unfaulted.push(fault);
  }

  /** A record of the history is damaged. */
  lost(): void {
    this.settle('unknown');
    this.path = breakPath(this.path, 'damaged-record');
  }

  add(record: RolloutRecord): void {
    switch (record.kind) {
      case 'session_meta':
        this.meta(record);
        break;
      case 'turn_context':
        this.model = text(record.payload['model']) ?? this.model;
        break;
      case 'response_item':
      case 'inter_agent_communication':
        this.item(record);
        break;
      case 'compacted':
        this.compacted(record);
        break;
      case 'token_usage_record':
        this.countsReplies = true;
        this.usage(objectAt(record.payload, 'usage'), text(record.payload['response_id']));
        break;
      case 'event_msg':
        this.event(record);
        break;
      case 'exec_event':
        if (record.payload['type'] === 'thread.started') this.id ??= text(record.payload['thread_id']);
        this.transcript.add(objectAt(record.payload, 'item'), record);
        break;
      default:
    }
  }

  build(): Session {
    this.close(this.open !== undefined && this.countsReplies ? 'aborted' : 'unknown');
    const { draft } = this;
    if (this.itemCount === 0) this.transcript.replay(draft, this.model);
    if (draft.calls.length === 0 && this.itemCount === 0 && this.unfaulted.length === 0) {
      draft.note('warning', 'no-model-calls', 'Expected response items, found none; the file holds no reply.', { file: this.file, line: 0, byteOffset: 0 });
    }
    draft.diagnostics.unshift(...this.unfaulted);
    return { ...draft.build(), id: this.id ?? this.name };
  }

  /** A fork or an agent repeats the records of its parent, and its first meta is its own (ryoppippi/ccusage#897). */
  private meta({ payload, position }: RolloutRecord): void {
    if (this.id !== undefined) return;
    this.id = text(payload['id']);
    const instructions = payload['base_instructions'];
    const base = isObject(instructions) ? text(instructions['text']) : text(instructions) ?? text(payload['instructions']);
    if (base !== undefined) {
      this.draft.systemPrompt = { status: 'known', value: base };
      // Requests lead with it, before the developer's messages; the client may leave lines of it out.
      this.instructions = { role: 'system', parts: [textPart(base, 'system', { exactness: 're-rendered' })] };
      this.path = say(this.path, this.instructions);
    } else this.path = weaken(this.path, 'reconstructed', 'system-prompt-unknown');
    const parent = text(payload['forked_from_id']);
    const spawn = spawnOf(payload);
    if (spawn !== undefined) {
      this.agent = { id: spawn.id ?? this.id ?? this.name };
      this.draft.operation('subagent', `${spawn.kind}${spawn.parent === undefined ? '' : ` of session ${spawn.parent}`}`, position);
    } else if (parent !== undefined) this.draft.operation('fork', `from session ${parent}`, position);
  }

  private item(record: RolloutRecord): void {
    const payload = record.kind === 'response_item' ? record.payload : { type: 'agent_message', ...record.payload };
    const item = itemOf(payload, record);
    if (item.kind === 'unseen') return;
    this.itemCount++;
    switch (item.kind) {
      case 'sampled':
        this.sampled(item, record);
        break;
      case 'tools':
        this.settle('unknown');
        this.storedRequest(item.tools);
        break;
      case 'seen':
        this.seen(item);
        break;
    }
  }

  /** Requests of this shape send their tools and instructions as items, so that the items are the request. */
  private storedRequest(tools: readonly JsonObject[]): void {
    this.draft.tools = toolDefinitions(tools);
    this.instructions = undefined;
    if (this.path.incomplete) return;
    this.path = this.draft.calls.length === 0 && (this.path.head?.depth ?? 0) <= 1 ? emptyPath('exact') : { ...this.path, status: 'exact', reasons: [] };
  }

  private sampled(item: Extract<Item, { kind: 'sampled' }>, record: RolloutRecord): void {
    this.open ??= { parts: [], ids: [], incomplete: false, position: record.position };
    this.open.parts.push(...item.parts);
    if (item.serverId !== undefined) this.open.ids.push(item.serverId);
    this.open.incomplete ||= item.incomplete;
  }

  private seen({ message, userTurn }: Extract<Item, { kind: 'seen' }>): void {
    if (message.role === 'tool') {
      this.close('tool-calls');
      this.outputs.push(message);
      for (const part of message.parts) if (part.kind === 'tool-result' && part.toolCallId !== undefined) this.openCalls.delete(part.toolCallId);
      this.beforeTurn = undefined;
      return;
    }
    this.settle(userTurn ? 'stop' : 'unknown');
    this.beforeTurn ??= this.path;
    if (userTurn) {
      this.turns.push(this.beforeTurn);
      this.beforeTurn = undefined;
    }
    this.path = say(this.path, message);
  }

  /** Ends the open reply and puts the outputs of its calls behind it. Codex sends "aborted" for those that never came, and keeps no record of that. */
  private settle(reason: FinishReason): void {
    this.close(reason);
    if (this.openCalls.size > 0) {
      for (const id of this.openCalls) this.path = say(this.path, { role: 'tool', parts: [{ ...resultPart(id, 'aborted', { failed: true, exactness: 're-rendered' }), author: 'harness' }] });
      this.path = weaken(this.path, 'reconstructed', 'call-without-output');
      this.openCalls.clear();
    }
    for (const message of this.outputs) this.path = say(this.path, message);
    this.outputs = [];
  }

  private event({ payload, position, ...record }: RolloutRecord): void {
    switch (payload['type']) {
      case 'token_count': {
        const info = objectAt(payload, 'info');
        if ('last_token_usage' in info && !this.countsReplies) this.usage(objectAt(info, 'last_token_usage'), undefined);
        break;
      }
      case 'turn_aborted':
        this.close('aborted');
        this.markAborted();
        break;
      case 'thread_rolled_back':
        this.rollBack(count(payload['num_turns']) ?? 0, position);
        break;
      case 'task_complete':
      case 'turn_complete':
        this.complete(payload);
        break;
      default:
        this.transcript.add(isObject(payload['item']) ? payload['item'] : payload, { ...record, payload, position });
    }
  }

  /** Follows the reply that it counts; a repeated count after a reply that was cut is that of the one before. */
  private usage(usage: JsonObject, responseId: string | undefined): void {
    if (this.open !== undefined && responseId !== undefined) this.open.ids.unshift(responseId);
    if (this.open !== undefined) this.close('unknown', usageOf(usage['input_tokens'], usage['output_tokens']), responseId);
    else if (this.lastCall !== undefined) {
      const call = this.draft.calls[this.lastCall];
      const counted = usageOf(usage['input_tokens'], usage['output_tokens']);
      if (call?.usage === undefined && call !== undefined && counted !== undefined) this.draft.calls[this.lastCall] = { ...call, usage: counted };
    }
  }

  private complete(payload: JsonObject): void {
    this.close('stop');
    const problem = objectAt(payload, 'error');
    const call = this.lastCall === undefined ? undefined : this.draft.calls[this.lastCall];
    if (call === undefined || this.lastCall === undefined) return;
    if (/max_output_tokens|length/.test(text(problem['message']) ?? '')) this.draft.calls[this.lastCall] = { ...call, finishReason: 'length' };
    else if ('message' in problem && call.finishReason === 'stop') this.draft.calls[this.lastCall] = { ...call, finishReason: 'unknown' };
  }

  /** A text that was not counted when the user stopped the turn was cut; calls that the client had taken up were whole. */
  private markAborted(): void {
    const call = this.lastCall === undefined ? undefined : this.draft.calls[this.lastCall];
    if (call === undefined || this.lastCall === undefined || call.usage !== undefined || call.finishReason === 'tool-calls') return;
    this.draft.calls[this.lastCall] = { ...call, finishReason: 'aborted', loss: false, lossReason: call.lossReason ?? 'aborted-reply' };
  }

  private rollBack(turnCount: number, position: SourcePosition): void {
    this.settle('unknown');
    if (turnCount <= 0) return;
    const kept = this.turns.length - turnCount;
    this.path = this.turns[Math.max(0, kept)] ?? this.path;
    this.turns = this.turns.slice(0, Math.max(0, kept));
    this.beforeTurn = undefined;
    this.draft.operation('rewind', `${turnCount} turns of the user taken back`, position);
  }

  private compacted({ payload, json, path, validUtf8, position }: RolloutRecord): void {
    this.settle('unknown');
    const before = this.path;
    const replaced = payload['replacement_history'];
    const status = before.status === 'exact' || before.status === 'reconstructed' ? before.status : 'reconstructed';
    this.path = emptyPath(status, before.reasons.filter((reason) => reason !== 'damaged-record' && reason !== 'call-without-output' && reason !== 'legacy-compaction'));
    if (this.instructions !== undefined) this.path = say(this.path, this.instructions);
    if (Array.isArray(replaced)) {
      for (const { item, index } of objectsAt(payload, 'replacement_history')) this.replaced(itemOf(item, { json, path: [...path, 'replacement_history', index], validUtf8 }));
    } else this.legacyHistory(before, text(payload['message']) ?? '');
    this.beforeTurn = undefined;
    this.draft.operation('compaction', Array.isArray(replaced) ? `history replaced by ${listAt(payload, 'replacement_history').length} items` : 'history replaced by the messages of the user and a summary', position);
  }

  /** Replies in a replacement are those of before: context. */
  private replaced(item: Item): void {
    if (item.kind === 'seen') this.path = say(this.path, item.message);
    else if (item.kind === 'sampled') this.path = say(this.path, { role: 'assistant', parts: withAuthor(item.parts, 'copied') });
    else if (item.kind === 'tools') this.draft.tools = toolDefinitions(item.tools);
  }

  /** Before replacements were stored: what the user had said, and the summary. Texts over a budget were cut, which is not recorded. */
  private legacyHistory(before: PromptPath, summary: string): void {
    const said = [];
    for (let node = before.head; node !== undefined; node = node.parent) if (node.message.role === 'user' && node.message.parts.some((part) => part.author === 'user')) said.push(node.message);
    for (const message of said.reverse()) this.path = say(this.path, message);
    if (summary !== '') this.path = say(this.path, { role: 'user', parts: [{ kind: 'text', text: summary, author: 'summary', exactness: 're-rendered' }] });
    this.path = weaken(this.path, 'approximate', 'legacy-compaction');
  }

  private close(reason: FinishReason, usage?: ModelCall['usage'], responseId?: string): void {
    const open = this.open;
    if (open === undefined) return;
    this.open = undefined;
    const calls = open.parts.flatMap((part) => (part.kind === 'tool-call' && part.id !== undefined ? [part.id] : []));
    const before = this.draft.calls.length;
    this.settle('unknown');
    // Where replies are counted, one that was not had been cut, and was asked for again.
    const cut = this.countsReplies && usage === undefined && calls.length === 0;
    const finished = open.incomplete ? 'length' : cut ? 'aborted' : calls.length > 0 ? 'tool-calls' : usage !== undefined && reason === 'unknown' ? 'stop' : reason;
    const id = responseId ?? open.ids[0] ?? calls[0];
    this.path = this.draft.reply(this.path, {
      ...(id === undefined ? {} : { id }), ...(open.ids.length === 0 ? {} : { serverId: open.ids.join(' ') }),
      sampled: open.parts, finishReason: finished, position: open.position, ...(cut ? { lossReason: 'aborted-reply' } : {}),
      ...(this.model === undefined ? {} : { model: this.model }), ...(usage === undefined ? {} : { usage }), ...(this.agent === undefined ? {} : { agent: this.agent }),
    });
    this.lastCall = this.draft.calls.length > before ? before : undefined;
    for (const call of calls) this.openCalls.add(call);
    this.beforeTurn = undefined;
  }
}

function spawnOf(payload: JsonObject): { readonly kind: string; readonly id?: string; readonly parent?: string } | undefined {
  const source = payload['source'];
  const subagent = isObject(source) ? source['subagent'] : undefined;
  if (subagent === undefined && payload['thread_source'] !== 'subagent') return undefined;
  const spawn = isObject(subagent) ? objectAt(subagent, 'thread_spawn') : {};
  const kind = typeof subagent === 'string' ? subagent : isObject(subagent) ? (Object.keys(subagent)[0] ?? 'subagent') : 'subagent';
  const id = text(payload['agent_path']) ?? text(spawn['agent_path']) ?? text(payload['id']);
  const parent = text(spawn['parent_thread_id']) ?? text(payload['parent_thread_id']) ?? text(payload['forked_from_id']);
  return { kind, ...(id === undefined ? {} : { id }), ...(parent === undefined ? {} : { parent }) };
}
