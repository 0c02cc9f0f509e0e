import type { FinishReason, MessagePart, ReadContext, Session, SessionMessage, SessionReader, SourceFile, SourcePosition } from '@turnwright/contracts';
import { callPart, mediaPart, rawJson, resultPart, textPart, withheldReasoning } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, sayAll, weaken } from '../common/prompt-path.js';
import { readRecordStream } from '../common/record-stream.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, count, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { toolsOf } from '../openai-messages/tools.js';

/** Reads wire logs of Kimi Code, the one agent log that marks every request. */
export const kimiReader: SessionReader = {
  name: 'kimi',
  description: 'Kimi Code wire logs (wire.jsonl)',
  detect: (head) => detectKimi(head),
  read: readKimi,
};

const RECORDS = /^(?:context\.(?:append_message|append_loop_event|apply_compaction)|llm\.(?:request|tools_snapshot)|turn\.(?:prompt|steer|cancel|ended)|config\.update|tools\.set_active_tools|full_compaction\.)/;

function detectKimi(head: Uint8Array): number {
  const { records } = sniffHead(head);
  if (records.some((record) => typeof record['type'] === 'string' && RECORDS.test(record['type']))) return 0.95;
  return records.some((record) => record['type'] === 'metadata' && 'protocol_version' in record) ? 0.8 : 0;
}

async function* readKimi(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const draft = new SessionDraft({ reader: 'kimi', path: source.path, seen: context.seenReplies });
  const log = new WireLog(draft);
  for await (const found of readRecordStream(source, context.signal, (fault) => draft.diagnostics.push(fault))) {
    if (found.value === undefined) log.lost();
    else log.add({ value: found.value, json: found.text, validUtf8: found.validUtf8, position: { file: source.path, line: found.line, byteOffset: found.byteOffset } });
  }
  log.close('unknown');
  yield { ...draft.build(), id: baseName(source.path) };
}

interface WireRecord {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

interface OpenStep {
  readonly id: string | undefined;
  readonly parts: MessagePart[];
  readonly results: SessionMessage[];
  readonly position: SourcePosition;
}

class WireLog {
  private path: PromptPath = emptyPath('reconstructed', ['system-prompt-unknown', 'tools-unknown']);
  private open: OpenStep | undefined;
  private model: string | undefined;
  private system: SessionMessage | undefined;
  /** What the user typed, until the message that it became is seen; short logs have only this. */
  private typed: SessionMessage | undefined;

  constructor(private readonly draft: SessionDraft) {}

  lost(): void {
    this.close('unknown');
    this.path = breakPath(this.path, 'damaged-record');
  }

  add(record: WireRecord): void {
    const { value, position } = record;
    switch (value['type']) {
      case 'config.update':
        this.config(value);
        break;
      case 'llm.tools_snapshot':
        this.tools(value, record.json);
        break;
      case 'llm.request':
        this.request(value);
        break;
      case 'turn.prompt':
      case 'turn.steer':
        this.close('unknown');
        this.flushTyped();
        this.typed = { role: 'user', parts: contentParts(value['input'], authorOf(value)) };
        break;
      case 'context.append_message':
        this.message(record);
        break;
      case 'context.append_loop_event':
        this.loopEvent(record);
        break;
      case 'turn.cancel':
        this.close('aborted');
        break;
      case 'context.apply_compaction':
        this.compacted(value, position);
        break;
      case 'context.clear':
        this.close('unknown');
        this.path = this.start();
        break;
      default:
    }
  }

  close(reason: FinishReason, value: JsonObject = {}): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    if (open.parts.length === 0) return;
    const usage = objectAt(value, 'usage');
    const input = ['inputOther', 'inputCacheRead', 'inputCacheCreation'].reduce((sum, key) => sum + (count(usage[key]) ?? 0), 0);
    const counted = usageOf(usage['inputOther'] === undefined ? undefined : input, usage['output']);
    const serverId = text(value['messageId']);
    const cut = reason === 'aborted' && !open.parts.some((part) => part.kind === 'tool-call');
    this.path = this.draft.reply(this.path, {
      ...(open.id === undefined ? {} : { id: open.id }), ...(serverId === undefined ? {} : { serverId }), sampled: open.parts, finishReason: reason, position: open.position,
      ...(cut ? { lossReason: 'aborted-reply' } : {}), ...(counted === undefined ? {} : { usage: counted }), ...(this.model === undefined ? {} : { model: this.model }),
    });
    this.path = sayAll(this.path, open.results);
  }

  private start(): PromptPath {
    const reasons = [...(this.system === undefined ? ['system-prompt-unknown'] : []), ...(this.draft.tools.status === 'unknown' ? ['tools-unknown'] : [])];
    const empty = emptyPath('reconstructed', reasons);
    return this.system === undefined ? empty : say(empty, this.system);
  }

  private config(value: JsonObject): void {
    this.model = text(value['modelAlias']) ?? this.model;
    const prompt = text(value['systemPrompt']);
    if (prompt === undefined) return;
    const changed = this.system !== undefined && this.path.head?.depth !== 1;
    this.system = { role: 'system', parts: [textPart(prompt, 'system')] };
    this.draft.systemPrompt = { status: 'known', value: prompt };
    if (this.path.head === undefined || this.path.head.depth === 1) this.path = this.start();
    else if (changed) this.path = weaken(this.path, 'approximate', 'system-prompt-changed');
  }

  private tools(value: JsonObject, json: string): void {
    const tools = toolsOf(value, json);
    if (tools.status === 'unknown') return;
    this.draft.tools = tools;
    this.path = { ...this.path, reasons: this.path.reasons.filter((reason) => reason !== 'tools-unknown') };
  }

  /** The marker counts the messages that went out: it tells when the log and the wire differ. */
  private request(value: JsonObject): void {
    this.flushTyped();
    this.model = text(value['model']) ?? this.model;
    const dropped = count(value['droppedCount']) ?? 0;
    if (dropped > 0) this.path = weaken(this.path, 'approximate', 'messages-dropped');
    else if (this.path.reasons.length === 0 && this.path.status === 'reconstructed' && value['systemPromptHash'] !== undefined) this.path = { ...this.path, status: 'exact' };
  }

  private message({ value, json }: WireRecord): void {
    this.close('unknown');
    const message = objectAt(value, 'message');
    this.typed = undefined;
    if (message['role'] === 'user' || message['role'] === 'system') this.path = say(this.path, { role: 'user', parts: contentParts(message['content'], authorOf(message)) });
    else if (message['role'] === 'tool') this.path = say(this.path, { role: 'tool', parts: [resultPart(text(message['toolCallId']), contentParts(message['content'], 'tool').flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'))] });
    else if (message['role'] === 'assistant') this.path = say(this.path, { role: 'assistant', parts: [...contentParts(message['content'], 'copied'), ...objectsAt(message, 'toolCalls').map(({ item, index }) => ({ ...callPart(text(item['id']), text(item['name']) ?? '', json, ['message', 'toolCalls', index, 'args'], item['args']), author: 'copied' as const }))] });
  }

  private loopEvent({ value, json, validUtf8, position }: WireRecord): void {
    const event = objectAt(value, 'event');
    switch (event['type']) {
      case 'step.begin':
        this.close('unknown');
        this.flushTyped();
        this.open = { id: text(event['uuid']), parts: [], results: [], position };
        break;
      case 'content.part':
        this.open?.parts.push(...sampledPart(objectAt(event, 'part'), validUtf8));
        break;
      case 'tool.call':
        this.open?.parts.push(callPart(text(event['toolCallId']), text(event['name']) ?? '', json, ['event', 'args'], event['args'], validUtf8));
        break;
      case 'tool.result':
        this.result(event, json);
        break;
      case 'step.end':
        this.close(REASONS[text(event['finishReason']) ?? ''] ?? 'unknown', event);
        break;
      default:
    }
  }

  /** Results come before a step is closed, and behind it in the prompt. */
  private result(event: JsonObject, json: string): void {
    const output = objectAt(event, 'result')['output'];
    const written = typeof output === 'string' ? output : Array.isArray(output) ? contentParts(output, 'tool').flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') : (rawJson(json, ['event', 'result']) ?? '');
    const message: SessionMessage = { role: 'tool', parts: [resultPart(text(event['toolCallId']), written, { failed: objectAt(event, 'result')['isError'] === true, exactness: typeof output === 'string' ? 'bytes' : 're-rendered' })] };
    if (this.open === undefined) this.path = say(this.path, message);
    else this.open.results.push(message);
  }

  private compacted(value: JsonObject, position: SourcePosition): void {
    this.close('unknown');
    const kept = count(value['keptUserMessageCount']) ?? 0;
    const said: SessionMessage[] = [];
    for (let node = this.path.head; node !== undefined && said.length < kept; node = node.parent) if (node.message.role === 'user' && node.message.parts.some((part) => part.author === 'user')) said.unshift(node.message);
    this.path = weaken(sayAll(this.start(), said), 'approximate', 'compacted');
    const summary = text(value['summary']);
    if (summary !== undefined) this.path = say(this.path, { role: 'user', parts: [textPart(summary, 'summary', { exactness: 're-rendered' })] });
    this.draft.operation('compaction', `a summary and ${said.length} messages of the user`, position);
  }

  private flushTyped(): void {
    if (this.typed !== undefined) this.path = say(this.path, this.typed);
    this.typed = undefined;
  }
}

const REASONS: Readonly<Record<string, FinishReason>> = { end_turn: 'stop', stop: 'stop', tool_use: 'tool-calls', tool_calls: 'tool-calls', max_tokens: 'length', length: 'length', truncated: 'length', cancelled: 'aborted', aborted: 'aborted', error: 'failed' };

function sampledPart(part: JsonObject, validUtf8: boolean): MessagePart[] {
  if (part['type'] === 'think') return typeof part['think'] === 'string' && part['think'] !== '' ? [textPart(part['think'], 'sampled', { kind: 'reasoning', validUtf8 })] : [withheldReasoning()];
  return typeof part['text'] === 'string' && part['text'] !== '' ? [textPart(part['text'], 'sampled', { validUtf8 })] : [];
}

function authorOf(value: JsonObject): 'user' | 'harness' {
  const kind = objectAt(value, 'origin')['kind'];
  return kind === undefined || kind === 'user' ? 'user' : 'harness';
}

function contentParts(content: unknown, author: 'user' | 'harness' | 'tool' | 'copied'): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content, author)];
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((item): MessagePart[] => {
    if (!isObject(item)) return [];
    if (item['type'] === 'think' && typeof item['think'] === 'string') return [textPart(item['think'], author, { kind: 'reasoning' })];
    if (typeof item['text'] === 'string') return item['text'] === '' ? [] : [textPart(item['text'], author)];
    return typeof item['type'] === 'string' ? [mediaPart(`${item['type'].replace(/_url$/, '')}/*`, author)] : [];
  });
}
