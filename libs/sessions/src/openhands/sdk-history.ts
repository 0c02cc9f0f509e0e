import type { MessagePart, RecordedTokens, Session, SessionMessage, SourcePosition } from '@turnwright/contracts';
import type { FoundObject } from '../common/json-objects.js';
import { callPart, mediaPart, resultPart, summarisedReasoning, textPart } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, sayAll, weaken } from '../common/prompt-path.js';
import type { SessionDraft } from '../common/session-draft.js';
import { count, listAt, objectAt, objectsAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { toolsOf } from '../openai-messages/tools.js';

interface OpenReply {
  readonly id: string | undefined;
  readonly parts: MessagePart[];
  readonly eventIds: string[];
  readonly position: SourcePosition;
  readonly validUtf8: boolean;
}

/** What an event put into the prompt, for condensations, which name events. */
interface Told {
  readonly id: string;
  readonly message: SessionMessage;
  readonly callId?: string;
}

/** Follows the events of the OpenHands SDK: actions with one response id are one reply, of which only the first has the thought. */
export class SdkHistory {
  private path: PromptPath = emptyPath('reconstructed', ['system-prompt-unknown', 'tools-unknown']);
  private open: OpenReply | undefined;
  private tokens: RecordedTokens | undefined;
  private told: Told[] = [];

  constructor(private readonly draft: SessionDraft) {}

  lost(): void {
    this.close();
    this.path = breakPath(this.path, 'damaged-record');
  }

  add(event: FoundObject): void {
    switch (event.value['kind']) {
      case 'SystemPromptEvent':
        this.system(event);
        break;
      case 'MessageEvent':
        this.message(event);
        break;
      case 'ActionEvent':
        this.action(event);
        break;
      case 'ObservationEvent':
      case 'AgentErrorEvent':
      case 'UserRejectObservation':
        this.observation(event.value);
        break;
      case 'TokenEvent':
        this.token(event.value);
        break;
      case 'Condensation':
        this.condensed(event);
        break;
      default:
    }
  }

  build(): Session {
    this.close();
    return this.draft.build();
  }

  private system({ value, json }: FoundObject): void {
    const prompt = text(objectAt(value, 'system_prompt')['text']) ?? text(value['system_prompt']);
    const tools = toolsOf(value, json);
    if (tools.status !== 'unknown') this.draft.tools = tools;
    const reasons = [...(prompt === undefined ? ['system-prompt-unknown'] : []), ...(tools.status === 'unknown' ? ['tools-unknown'] : [])];
    this.path = { ...this.path, reasons };
    if (prompt === undefined) return;
    this.draft.systemPrompt = { status: 'known', value: prompt };
    this.tell(text(value['id']) ?? '', { role: 'system', parts: [textPart(prompt, 'system')] });
  }

  private message({ value, json, position, validUtf8 }: FoundObject): void {
    const message = objectAt(value, 'llm_message');
    const id = text(value['id']) ?? '';
    if (message['role'] !== 'assistant' || value['source'] !== 'agent') {
      this.close();
      const extended = contentParts(listAt(value, 'extended_content'), 'harness');
      this.tell(id, { role: 'user', parts: [...contentParts(message['content'], value['source'] === 'user' ? 'user' : 'harness'), ...extended] });
      return;
    }
    const responseId = text(value['llm_response_id']);
    if (this.open?.id !== responseId) this.close();
    this.open ??= { id: responseId, parts: [], eventIds: [], position, validUtf8 };
    const reasoning = reasoningParts(message, validUtf8);
    const calls = objectsAt(message, 'tool_calls').map(({ item, index }) => callPart(text(item['id']), text(item['name']) ?? text(objectAt(item, 'function')['name']) ?? '', json, ['llm_message', 'tool_calls', index, 'arguments'], item['arguments'] ?? objectAt(item, 'function')['arguments'], validUtf8));
    this.open.parts.push(...reasoning, ...contentParts(message['content'], 'sampled'), ...calls);
    this.open.eventIds.push(id);
    this.close('stop');
  }

  private action({ value, json, position, validUtf8 }: FoundObject): void {
    const responseId = text(value['llm_response_id']);
    if (this.open !== undefined && (responseId === undefined || this.open.id !== responseId)) this.close();
    if (this.open === undefined) this.open = { id: responseId, parts: [...reasoningParts(value, validUtf8), ...contentParts(value['thought'], 'sampled')], eventIds: [], position, validUtf8 };
    const call = objectAt(value, 'tool_call');
    const span = findRaw(json, ['tool_call', 'arguments']);
    const nested = span === undefined ? ['tool_call', 'function', 'arguments'] : ['tool_call', 'arguments'];
    const target = Object.keys(objectAt(call, 'function')).length > 0 ? objectAt(call, 'function') : call;
    this.open.parts.push(callPart(text(value['tool_call_id']) ?? text(call['id']), text(target['name']) ?? text(value['tool_name']) ?? '', json, nested, target['arguments'], validUtf8));
    this.open.eventIds.push(text(value['id']) ?? '');
  }

  private observation(value: JsonObject): void {
    this.close();
    const observation = objectAt(value, 'observation');
    const error = text(value['error']) ?? (value['kind'] === 'UserRejectObservation' ? text(value['rejection_reason']) : undefined);
    const written = error ?? contentParts(observation['content'] ?? observation['output'], 'tool').flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
    this.tell(text(value['id']) ?? '', { role: 'tool', parts: [resultPart(text(value['tool_call_id']), written, { exactness: 're-rendered', failed: error !== undefined || observation['is_error'] === true })] });
  }

  /** Stands beside the reply whose ids it holds, before or behind its actions. */
  private token(value: JsonObject): void {
    const [promptIds, outputIds] = [ids(value['prompt_token_ids']), ids(value['response_token_ids'])];
    if (outputIds === undefined || outputIds.length === 0) return;
    const tokens = { ...(promptIds === undefined || promptIds.length === 0 ? {} : { promptIds }), outputIds };
    this.tokens = tokens;
  }

  private condensed({ value, position }: FoundObject): void {
    this.close();
    const forgotten = new Set(listAt(value, 'forgotten_event_ids').map(String));
    const summary = text(value['summary']);
    const offset = count(value['summary_offset']);
    const kept = this.told.filter((told) => !forgotten.has(told.id));
    const inserted: Told[] = summary === undefined ? [] : [{ id: text(value['id']) ?? '', message: { role: 'user', parts: [textPart(summary, 'summary', { exactness: 're-rendered' })] } }];
    const at = Math.min(offset ?? 1, kept.length);
    this.told = [...kept.slice(0, at), ...inserted, ...kept.slice(at)];
    const start = emptyPath(this.path.status, this.path.reasons);
    this.path = { ...weaken(sayAll(start, this.told.map((told) => told.message)), 'reconstructed', 'condensed'), parentId: undefined, incomplete: this.path.incomplete };
    this.draft.operation('compaction', `${forgotten.size} events forgotten`, position);
  }

  private tell(id: string, message: SessionMessage): void {
    if (message.parts.length === 0) return;
    this.path = say(this.path, message);
    this.told.push({ id, message });
  }

  private close(finishReason: 'stop' | 'tool-calls' = 'tool-calls'): void {
    if (this.open === undefined) return;
    const { id, parts, eventIds, position, validUtf8 } = this.open;
    this.open = undefined;
    const tokens = this.tokens;
    this.tokens = undefined;
    const calls = parts.some((part) => part.kind === 'tool-call');
    const before = this.path;
    const known = tokens?.promptIds === undefined ? before : { ...before, status: 'exact' as const, reasons: [] };
    const after = this.draft.reply(known, { ...(id === undefined ? {} : { id, serverId: id }), sampled: parts, validUtf8, finishReason: calls ? 'tool-calls' : finishReason, position, ...(tokens === undefined ? {} : { tokens }) });
    this.path = { ...after, status: before.status, reasons: before.reasons };
    const said = after.head?.message;
    if (said !== undefined && after.head !== before.head) for (const [index, eventId] of eventIds.entries()) if (index === eventIds.length - 1) this.told.push({ id: eventId, message: said });
  }
}

function reasoningParts(value: JsonObject, validUtf8: boolean): MessagePart[] {
  const blocks = objectsAt(value, 'thinking_blocks').flatMap(({ item }) => text(item['thinking']) ?? []);
  const thought = blocks.length > 0 ? blocks.join('\n') : text(value['reasoning_content']);
  if (thought !== undefined) return [textPart(thought, 'sampled', { kind: 'reasoning', validUtf8 })];
  const summary = listAt(objectAt(value, 'responses_reasoning_item'), 'summary').filter((part) => typeof part === 'string');
  return summary.length > 0 ? [summarisedReasoning(summary.join('\n\n'))] : [];
}

function contentParts(content: unknown, author: 'user' | 'harness' | 'sampled' | 'tool'): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content, author)];
  return objectsAt({ content }, 'content').flatMap(({ item }): MessagePart[] => {
    if (typeof item['text'] === 'string') return item['text'] === '' ? [] : [textPart(item['text'], author)];
    return item['type'] === 'image' ? [mediaPart('image/*', author)] : [];
  });
}

function ids(value: unknown): number[] | undefined {
  return Array.isArray(value) && (value as readonly unknown[]).every((id) => typeof id === 'number') ? (value as number[]) : undefined;
}
