import type { Author, MessagePart, ModelCall, Session, SourcePosition, ToolDefinition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { rawItems } from '../common/document.js';
import { callPart, mediaPart, rawJson, resultPart, textPart, withAuthor } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { emptyPath, say, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { count, listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import { recordedTokens } from './tokens.js';

/** A trajectory with its text. */
export interface Trajectory {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly positionOf: (index: number) => SourcePosition;
  /** Where the trajectory starts in the text that `positionOf` knows. */
  readonly start: number;
  /** The trajectory that it is a part of. */
  readonly parentId?: string;
}

interface Step {
  readonly value: JsonObject;
  readonly json: string;
  readonly position: SourcePosition;
}

/** Makes calls of a trajectory: a step of the agent is one reply and the results of its calls. */
export function buildTrajectory(trajectory: Trajectory, path: string, name: string, seen: Set<string>): Session {
  const { value } = trajectory;
  const id = text(value['trajectory_id']) ?? text(value['session_id']) ?? name;
  const draft = new SessionDraft({ reader: 'atif', path, seen, id });
  return new Builder(draft, trajectory).build();
}

class Builder {
  private path: PromptPath;
  private readonly agent: ModelCall['agent'];
  private readonly model: string | undefined;

  constructor(private readonly draft: SessionDraft, private readonly trajectory: Trajectory) {
    const agent = objectAt(trajectory.value, 'agent');
    this.model = text(agent['model_name']);
    this.agent = agentOf(trajectory);
    draft.tools = toolsOf(agent, trajectory.json);
    this.path = emptyPath('reconstructed', draft.tools.status === 'unknown' ? ['tools-unknown'] : []);
  }

  build(): Session {
    const items = listAt(this.trajectory.value, 'steps');
    const steps = rawItems(this.trajectory.json, ['steps']).flatMap((raw, index): Step[] => {
      const value = items[index];
      return isObject(value) ? [{ value, json: raw.json, position: this.trajectory.positionOf(this.trajectory.start + raw.start) }] : [];
    });
    if (!steps.some((step) => step.value['source'] === 'system')) this.path = weaken(this.path, 'reconstructed', 'system-prompt-unknown');
    for (const step of steps) this.step(step);
    const reference = text(this.trajectory.value['continued_trajectory_ref']);
    const last = steps.at(-1);
    if (reference !== undefined && last !== undefined) this.draft.operation('continuation', `continued in ${reference}`, last.position);
    return this.draft.build();
  }

  private step(step: Step): void {
    const { value } = step;
    this.contextNotes(step);
    switch (value['source']) {
      case 'agent':
        this.agentStep(step);
        break;
      case 'system':
        this.said('system', 'system', value);
        if (this.draft.systemPrompt.status === 'unknown') this.draft.systemPrompt = { status: 'known', value: plainText(value['message']) };
        break;
      case 'user':
        this.said('user', value['is_copied_context'] === true ? 'copied' : 'user', value);
        break;
      default:
        this.draft.note('warning', 'unknown-step', `Expected a step of system, user or agent, found "${String(value['source'])}"; the prompt lacks it.`, step.position);
        this.path = weaken(this.path, 'approximate', 'unknown-step');
    }
    if (value['source'] !== 'agent') this.observed(step);
  }

  private said(role: 'system' | 'user', author: Author, value: JsonObject): void {
    this.path = say(this.path, { role, parts: contentParts(value['message'], author, this.trajectory.validUtf8) });
  }

  private agentStep(step: Step): void {
    const { value, json, position } = step;
    const sampled = sampledParts(value, json, this.trajectory.validUtf8);
    const callCount = count(value['llm_call_count']);
    if (value['is_copied_context'] === true) this.path = say({ ...this.path, parentId: undefined }, { role: 'assistant', parts: withAuthor(sampled, 'copied') });
    else if (callCount === 0) this.path = say(this.path, { role: 'assistant', parts: withAuthor(sampled, 'harness') });
    else this.call(sampled, callCount ?? 1, value, position);
    this.observed(step);
  }

  private call(sampled: readonly MessagePart[], callCount: number, value: JsonObject, position: SourcePosition): void {
    const metrics = objectAt(value, 'metrics');
    const { tokens, fault } = recordedTokens(metrics);
    const usage = usageOf(metrics['prompt_tokens'], metrics['completion_tokens']);
    const model = text(value['model_name']) ?? this.model;
    const hasCalls = sampled.some((part) => part.kind === 'tool-call');
    if (fault !== undefined) this.draft.note('warning', 'bad-tokens', `Step ${String(value['step_id'])}: ${fault}; they were not used.`, position);
    const merged = callCount > 1;
    const before = this.path;
    const known = tokens?.promptIds === undefined || merged ? before : { ...before, status: 'exact' as const, reasons: [] };
    const after = this.draft.reply(merged ? weaken(known, 'approximate', 'merged-calls') : known, {
      id: `step-${String(value['step_id'] ?? this.draft.calls.length)}`, position, finishReason: hasCalls ? 'tool-calls' : 'stop',
      // Where one reply ended and the next began is not known, and the loss of ends depends on it.
      sampled: merged ? sampled.map((part): MessagePart => ({ ...part, exactness: part.exactness === 'bytes' ? 're-rendered' : part.exactness })) : sampled,
      ...(merged ? { lossReason: 'merged-calls' } : {}),
      ...(tokens === undefined || merged ? {} : { tokens }), ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }), ...(this.agent === undefined ? {} : { agent: this.agent }),
    });
    this.path = { ...after, status: before.status, reasons: before.reasons };
  }

  /** A result that names no call is what the harness showed: Terminus puts one into each step. */
  private observed({ value, json }: Step): void {
    const calls = objectsAt(value, 'tool_calls');
    for (const { item, index } of objectsAt(objectAt(value, 'observation'), 'results')) {
      const source = text(item['source_call_id']) ?? (calls.length === 1 ? text(calls[0]?.item['tool_call_id']) : undefined);
      const content = item['content'];
      const written = typeof content === 'string' ? content : Array.isArray(content) ? plainText(content) : content === undefined || content === null ? undefined : rawJson(json, ['observation', 'results', index, 'content']);
      if (written === undefined) continue;
      const media = Array.isArray(content) ? contentParts(content, 'tool', true).filter((part) => part.kind === 'media') : [];
      if (source === undefined) this.path = say(this.path, { role: 'user', parts: [textPart(written, 'tool'), ...media] });
      else this.path = say(this.path, { role: 'tool', parts: [resultPart(source, written, { exactness: typeof content === 'string' ? 'bytes' : 're-rendered' }), ...media] });
    }
  }

  private contextNotes({ value, position }: Step): void {
    for (const { item } of objectsAt(objectAt(value, 'observation'), 'results')) {
      for (const reference of objectsAt(item, 'subagent_trajectory_ref')) {
        const id = text(reference.item['trajectory_id']) ?? text(reference.item['trajectory_path']) ?? text(reference.item['session_id']) ?? 'unknown';
        this.draft.operation('subagent', `trajectory ${id}`, position);
      }
    }
    const management = objectAt(objectAt(value, 'extra'), 'context_management');
    if (Object.keys(management).length === 0) return;
    this.draft.operation('compaction', text(management['type']) ?? 'the context was managed', position);
    this.path = { ...weaken(this.path, 'approximate', 'context-managed'), parentId: undefined };
  }
}

function sampledParts(value: JsonObject, json: string, validUtf8: boolean): MessagePart[] {
  const reasoning = text(value['reasoning_content']);
  return [
    ...(reasoning === undefined ? [] : [textPart(reasoning, 'sampled', { kind: 'reasoning', validUtf8 })]),
    ...contentParts(value['message'], 'sampled', validUtf8),
    ...objectsAt(value, 'tool_calls').map(({ item, index }) => callPart(text(item['tool_call_id']), text(item['function_name']) ?? '', json, ['tool_calls', index, 'arguments'], item['arguments'], validUtf8)),
  ];
}

function contentParts(content: unknown, author: Author, validUtf8: boolean): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [textPart(content, author, { validUtf8 })];
  return objectsAt({ content }, 'content').flatMap(({ item }): MessagePart[] => {
    if (typeof item['text'] === 'string') return item['text'] === '' ? [] : [textPart(item['text'], author, { validUtf8 })];
    return item['type'] === undefined ? [] : [mediaPart(text(objectAt(item, 'source')['media_type']) ?? `${String(item['type'])}/*`, author)];
  });
}

function plainText(content: unknown): string {
  return contentParts(content, 'tool', true).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

function agentOf({ value, parentId }: Trajectory): ModelCall['agent'] {
  const extra = objectAt(objectAt(value, 'agent'), 'extra');
  const parent = parentId ?? text(extra['parent_session_id']) ?? text(extra['parent_trajectory_id']);
  if (parent === undefined) return undefined;
  return { id: text(value['trajectory_id']) ?? text(objectAt(value, 'agent')['name']) ?? text(value['session_id']) ?? 'subagent' };
}

function toolsOf(agent: JsonObject, json: string): { readonly status: 'known'; readonly value: ToolDefinition[] } | { readonly status: 'unknown' } {
  if (!Array.isArray(agent['tool_definitions'])) return { status: 'unknown' };
  return {
    status: 'known',
    value: objectsAt(agent, 'tool_definitions').flatMap(({ item, index }): ToolDefinition[] => {
      const definition = isObject(item['function']) ? item['function'] : item;
      const name = text(definition['name']);
      const [description, parameters, source] = [text(definition['description']), definition['parameters'], rawJson(json, ['agent', 'tool_definitions', index])];
      return name === undefined ? [] : [{ name, ...(description === undefined ? {} : { description }), ...(isObject(parameters) ? { parameters } : {}), ...(source === undefined ? {} : { source }) }];
    }),
  };
}
