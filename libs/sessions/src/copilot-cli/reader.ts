import type { MessagePart, ModelCall, ReadContext, Session, SessionReader, SourceFile, SourcePosition } from '@turnwright/contracts';
import { callPart, resultPart, summarisedReasoning, textPart, withheldReasoning } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, weaken } from '../common/prompt-path.js';
import { readRecordStream } from '../common/record-stream.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, count, objectAt, objectsAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/** Reads event logs of Copilot CLI. */
export const copilotCliReader: SessionReader = {
  name: 'copilot-cli',
  description: 'Copilot CLI event logs (events.jsonl)',
  detect: (head) => detectCopilot(head),
  read: readCopilot,
};

const EVENTS = /^(?:session\.(?:start|resume|shutdown|truncation|model_change|info|error|usage_checkpoint)|assistant\.(?:message|turn_start|turn_end)|tool\.execution_(?:start|complete)|user\.message|system\.message|hook\.|subagent\.|abort$)/;

function detectCopilot(head: Uint8Array): number {
  return sniffHead(head).records.some((record) => typeof record['type'] === 'string' && EVENTS.test(record['type']) && isObject(record['data'])) ? 0.95 : 0;
}

async function* readCopilot(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const draft = new SessionDraft({ reader: 'copilot-cli', path: source.path, seen: context.seenReplies });
  const log = new EventLog(draft);
  for await (const found of readRecordStream(source, context.signal, (fault) => draft.diagnostics.push(fault))) {
    const position = { file: source.path, line: found.line, byteOffset: found.byteOffset };
    if (found.value === undefined) log.lost();
    else log.add({ type: text(found.value['type']) ?? '', data: objectAt(found.value, 'data'), json: found.text, validUtf8: found.validUtf8, position });
  }
  log.closeAll();
  yield { ...draft.build(), id: log.id ?? baseName(source.path) };
}

interface CopilotEvent {
  readonly type: string;
  readonly data: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

/** Chunks of one message, until it is whole. */
interface OpenMessage {
  readonly parts: MessagePart[];
  readonly id: string | undefined;
  readonly apiCallId: string | undefined;
  readonly position: SourcePosition;
  data: JsonObject;
}

/** A conversation: the main one, or that of the subagent that a tool call started. */
interface Thread {
  path: PromptPath;
  open: OpenMessage | undefined;
  readonly agent: ModelCall['agent'];
}

class EventLog {
  id: string | undefined;
  private readonly threads = new Map<string, Thread>();
  private system: string | undefined;

  constructor(private readonly draft: SessionDraft) {}

  lost(): void {
    for (const thread of this.threads.values()) {
      this.close(thread);
      thread.path = breakPath(thread.path, 'damaged-record');
    }
  }

  add(event: CopilotEvent): void {
    const { data, position } = event;
    const thread = this.threadOf(data, position);
    switch (event.type) {
      case 'session.start':
      case 'session.resume':
        this.id ??= text(data['sessionId']);
        break;
      case 'system.message':
        this.systemMessage(thread, data);
        break;
      case 'user.message':
        this.close(thread);
        this.userMessage(thread, data);
        break;
      case 'assistant.message':
        this.assistantMessage(thread, event);
        break;
      case 'tool.execution_complete':
        this.close(thread);
        this.result(thread, data);
        break;
      case 'session.truncation':
        this.closeAll();
        thread.path = weaken(thread.path, 'approximate', 'truncated-by-client');
        this.draft.operation('compaction', 'messages were cut from the context; which ones is not recorded', position);
        break;
      case 'session.compaction_complete':
        this.compacted(thread, data, position);
        break;
      case 'abort':
        this.close(thread);
        break;
      default:
    }
  }

  closeAll(): void {
    for (const thread of this.threads.values()) this.close(thread);
  }

  private threadOf(data: JsonObject, position: SourcePosition): Thread {
    const parent = text(data['parentToolCallId']);
    const known = this.threads.get(parent ?? '');
    if (known !== undefined) return known;
    const reasons = [...(this.system === undefined || parent !== undefined ? ['system-prompt-unknown'] : []), 'tools-unknown'];
    const thread: Thread = { path: emptyPath(parent === undefined ? 'reconstructed' : 'unknown-prefix', reasons), open: undefined, agent: parent === undefined ? undefined : { id: parent, toolCallId: parent } };
    if (parent !== undefined) this.draft.operation('subagent', `started by ${parent}`, position);
    this.threads.set(parent ?? '', thread);
    return thread;
  }

  private systemMessage(thread: Thread, data: JsonObject): void {
    const content = text(data['content']);
    // It is written again with every message of the user.
    if (content === undefined || content === this.system) return;
    if (this.system !== undefined) thread.path = weaken(thread.path, 'approximate', 'system-prompt-changed');
    else {
      this.system = content;
      this.draft.systemPrompt = { status: 'known', value: content };
      thread.path = say({ ...thread.path, reasons: thread.path.reasons.filter((reason) => reason !== 'system-prompt-unknown') }, { role: 'system', parts: [textPart(content, 'system')] });
    }
  }

  /** The model gets the transformed text. */
  private userMessage(thread: Thread, data: JsonObject): void {
    const content = text(data['transformedContent']) ?? text(data['content']);
    if (content !== undefined) thread.path = say(thread.path, { role: 'user', parts: [textPart(content, data['source'] === undefined || data['source'] === 'user' ? 'user' : 'harness')] });
  }

  private assistantMessage(thread: Thread, { data, json, validUtf8, position }: CopilotEvent): void {
    const id = text(data['messageId']);
    const apiCallId = text(data['apiCallId']);
    const continues = thread.open !== undefined && ((id !== undefined && thread.open.id === id) || (apiCallId !== undefined && thread.open.apiCallId === apiCallId));
    if (!continues) this.close(thread);
    // Calls stand in the order in which they began.
    for (const other of this.threads.values()) if (other !== thread) this.close(other);
    thread.open ??= { parts: [], id, apiCallId, position, data };
    thread.open.data = data;
    const reasoning = text(data['reasoningText']);
    const opaque = text(data['reasoningOpaque']) ?? text(data['encryptedContent']);
    // The text of reasoning that is also kept encrypted is a summary of it.
    if (reasoning !== undefined) thread.open.parts.push(opaque === undefined ? textPart(reasoning, 'sampled', { kind: 'reasoning', validUtf8 }) : summarisedReasoning(reasoning));
    else if (opaque !== undefined) thread.open.parts.push(withheldReasoning());
    const content = text(data['content']);
    if (content !== undefined) thread.open.parts.push(textPart(content, 'sampled', { validUtf8 }));
    for (const { item, index } of objectsAt(data, 'toolRequests')) thread.open.parts.push(callPart(text(item['toolCallId']), text(item['name']) ?? '', json, ['data', 'toolRequests', index, 'arguments'], item['arguments'], validUtf8));
  }

  private result(thread: Thread, data: JsonObject): void {
    const result = objectAt(data, 'result');
    const written = text(result['content']) ?? text(objectAt(data, 'error')['message']) ?? '';
    thread.path = say(thread.path, { role: 'tool', parts: [resultPart(text(data['toolCallId']), written, { failed: data['success'] === false })] });
  }

  private compacted(thread: Thread, data: JsonObject, position: SourcePosition): void {
    this.close(thread);
    const summary = text(data['summaryContent']);
    if (data['success'] === false || summary === undefined) return;
    let start = emptyPath('approximate', [...thread.path.reasons.filter((reason) => reason !== 'compacted'), 'compacted']);
    if (this.system !== undefined) start = say(start, { role: 'system', parts: [textPart(this.system, 'system')] });
    thread.path = say(start, { role: 'user', parts: [textPart(summary, 'summary', { exactness: 're-rendered' })] });
    this.draft.operation('compaction', 'the history was replaced by a summary', position);
  }

  private close(thread: Thread): void {
    const { open } = thread;
    if (open === undefined) return;
    thread.open = undefined;
    if (open.parts.length === 0) return;
    const output = count(open.data['outputTokens']);
    const input = count(open.data['inputTokens']);
    const model = text(open.data['model']);
    const serverId = text(open.data['serviceRequestId']) ?? open.apiCallId;
    thread.path = this.draft.reply(thread.path, {
      ...(open.id === undefined ? {} : { id: open.id }), ...(serverId === undefined ? {} : { serverId }), sampled: open.parts, position: open.position,
      finishReason: open.parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop',
      ...(output === undefined || input === undefined ? {} : { usage: { inputTokens: input, outputTokens: output } }), ...(model === undefined ? {} : { model }), ...(thread.agent === undefined ? {} : { agent: thread.agent }),
    });
  }
}
