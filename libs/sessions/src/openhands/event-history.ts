import type { FinishReason, MessagePart, Session, ToolDefinition } from '@turnwright/contracts';
import type { FoundObject } from '../common/json-objects.js';
import { mediaPart, resultPart, textPart } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say, weaken } from '../common/prompt-path.js';
import type { SessionDraft } from '../common/session-draft.js';
import { count, listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { messageOf } from '../openai-messages/message.js';
import { toolsOf } from '../openai-messages/tools.js';

/** Events that tell of the harness and stand in no prompt. */
const UNSEEN: ReadonlySet<unknown> = new Set(['recall', 'agent_state_changed', 'change_agent_state', 'null', 'condensation_request', 'loop_detection']);

/**
 * Follows the events of OpenHands V0.
 *
 * A reply is copied onto each of its actions and observations; it is one call. What the model saw of an event is made by a converter, so no
 * prompt of a list of events is exact (SWE-Gym/SWE-Gym#9).
 */
export class EventHistory {
  private path: PromptPath = emptyPath('approximate', ['converted-by-client', 'tools-unknown']);
  private readonly replies = new Set<string>();

  constructor(private readonly draft: SessionDraft) {}

  lost(): void {
    this.path = breakPath(this.path, 'damaged-record');
  }

  build(): Session {
    return this.draft.build();
  }

  add(event: FoundObject): void {
    const { value } = event;
    const metadata = objectAt(value, 'tool_call_metadata');
    if (Object.keys(objectAt(metadata, 'model_response')).length > 0) this.reply(event, metadata);
    if (UNSEEN.has(value['action']) || UNSEEN.has(value['observation'])) return;
    if (value['action'] === 'system') this.system(event);
    else if (value['action'] === 'condensation') this.condensed(event);
    else if (value['action'] !== undefined) this.action(event, metadata);
    else if (value['observation'] !== undefined) this.observation(value, metadata);
  }

  private system({ value, json }: FoundObject): void {
    const args = objectAt(value, 'args');
    const prompt = text(args['content']);
    if (prompt !== undefined) {
      this.draft.systemPrompt = { status: 'known', value: prompt };
      this.path = say(this.path, { role: 'system', parts: [textPart(prompt, 'system')] });
    }
    const span = findRaw(json, ['args']);
    const tools = toolsOf(args, span === undefined ? '{}' : json.slice(span.start, span.end));
    if (tools.status === 'unknown') return;
    this.draft.tools = tools satisfies { value: readonly ToolDefinition[] };
    this.path = { ...this.path, reasons: this.path.reasons.filter((reason) => reason !== 'tools-unknown') };
  }

  private reply({ value, json, position, validUtf8 }: FoundObject, metadata: JsonObject): void {
    const response = objectAt(metadata, 'model_response');
    const id = text(response['id']) ?? `event-${String(value['id'])}`;
    if (this.replies.has(id)) return;
    this.replies.add(id);
    const choice = objectsAt(response, 'choices')[0]?.item ?? {};
    const span = findRaw(json, ['tool_call_metadata', 'model_response', 'choices', 0, 'message']);
    const sampled = span === undefined ? undefined : messageOf({ ...objectAt(choice, 'message'), role: 'assistant' }, `[${json.slice(span.start, span.end)}]`, 0);
    if (sampled === undefined || sampled.parts.length === 0) return;
    const usage = objectAt(response, 'usage');
    const counted = usageOf(usage['prompt_tokens'], usage['completion_tokens']);
    const model = text(response['model']);
    this.path = this.draft.reply(this.path, {
      id, serverId: id, sampled: validUtf8 ? sampled.parts : sampled.parts.map((part): MessagePart => ({ ...part, exactness: 'damaged' })), finishReason: finishOf(choice), position,
      ...(counted === undefined ? {} : { usage: counted }), ...(model === undefined ? {} : { model }),
    });
  }

  /** Only a message to the user is a reply of its own; the text of other actions is a sentence for the interface. */
  private action({ value, position, validUtf8 }: FoundObject, metadata: JsonObject): void {
    const content = text(objectAt(value, 'args')['content']);
    if (value['action'] !== 'message' || Object.keys(objectAt(metadata, 'model_response')).length > 0) {
      if (value['source'] === 'agent' && Object.keys(metadata).length === 0) this.path = weaken(this.path, 'approximate', 'reply-not-recorded');
      return;
    }
    if (content === undefined) return;
    if (value['source'] === 'agent') {
      const whole = textPart(content, 'sampled', { validUtf8 });
      this.path = this.draft.reply(this.path, { id: `event-${String(value['id'])}`, sampled: [whole], finishReason: 'stop', position });
      return;
    }
    const images = listAt(objectAt(value, 'args'), 'image_urls').map(() => mediaPart('image/*', 'user'));
    this.path = say(this.path, { role: 'user', parts: [textPart(content, value['source'] === 'user' ? 'user' : 'harness'), ...images] });
  }

  private observation(value: JsonObject, metadata: JsonObject): void {
    const content = typeof value['content'] === 'string' ? value['content'] : '';
    const id = text(metadata['tool_call_id']);
    const part = resultPart(id, content, { exactness: 're-rendered', failed: value['success'] === false || value['observation'] === 'error' });
    this.path = id === undefined ? say(this.path, { role: 'user', parts: [textPart(content, 'tool', { exactness: 're-rendered' })] }) : say(this.path, { role: 'tool', parts: [part] });
  }

  private condensed({ value, position }: FoundObject): void {
    const args = objectAt(value, 'args');
    const forgotten = listAt(args, 'forgotten_event_ids').length;
    const range = count(args['forgotten_events_start_id']);
    this.draft.operation('compaction', `${forgotten > 0 ? forgotten : range === undefined ? 'some' : `events ${range} to ${String(args['forgotten_events_end_id'])}`} forgotten`, position);
    const summary = text(args['summary']);
    // Ids of events have gaps, so what is left is not the list without them: the prompt is only known to begin anew.
    const kept = this.path.head;
    let first = kept;
    while (first?.parent !== undefined) first = first.parent;
    const start = { ...emptyPath('approximate', [...this.path.reasons.filter((reason) => reason !== 'condensed'), 'condensed']) };
    this.path = first?.message.role === 'system' ? say(start, first.message) : start;
    if (summary !== undefined) this.path = say(this.path, { role: 'user', parts: [textPart(summary, 'summary', { exactness: 're-rendered' })] });
    this.path = { ...this.path, status: 'unknown-prefix' };
  }
}

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', end_turn: 'stop', length: 'length', tool_calls: 'tool-calls', tool_use: 'tool-calls', function_call: 'tool-calls' };

function finishOf(choice: JsonObject): FinishReason {
  return REASONS[text(choice['finish_reason']) ?? ''] ?? 'unknown';
}
