import type { Diagnostic, FinishReason, MessagePart, ReadContext, Session, SessionMessage, SessionReader, SourceFile, SourcePosition } from '@turnwright/contracts';
import { itemOf } from '../codex/item.js';
import { rawItems, readDocument } from '../common/document.js';
import { emptySession, noCalls } from '../common/empty-session.js';
import { authorOf } from '../common/harness-openers.js';
import type { PromptPath } from '../common/prompt-path.js';
import { emptyPath, say } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';
import { baseName, count, listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw } from '../json-lines/raw-json.js';
import { messageOf } from '../openai-messages/message.js';
import { textPart, withAuthor } from '../common/parts.js';

/** Reads runs of mini-swe-agent, whose messages are the prompt, and replies that it rejected. */
export const miniSweAgentReader: SessionReader = {
  name: 'mini-swe-agent',
  description: 'mini-swe-agent runs (.traj.json), versions 1 and 2',
  detect: (head) => detectMiniSweAgent(head),
  read: readMiniSweAgent,
};

function detectMiniSweAgent(head: Uint8Array): number {
  const { members, firstItem, text: start } = sniffHead(head);
  if (/"trajectory_format"\s*:\s*"mini-swe-agent/.test(start)) return 1;
  if (members.has('info') && 'role' in (firstItemOf(members.get('messages')) ?? {})) return /"(?:exit_status|mini_version|model_stats)"/.test(members.get('info') ?? '') ? 0.9 : 0.6;
  // The configuration of a run may be longer than the head.
  if (members.size === 1 && /"exit_status"/.test(members.get('info') ?? '') && /"model_stats"/.test(members.get('info') ?? '')) return 0.7;
  return firstItem !== undefined && 'role' in firstItem && /"extra"\s*:\s*\{\s*"(?:response|actions|cost)"/.test(start) ? 0.8 : 0;
}

async function* readMiniSweAgent(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const document = await readDocument(source);
  const root = isObject(document.value) ? document.value : {};
  const path = isObject(document.value) ? ['messages'] : [];
  const items = Array.isArray(document.value) ? (document.value as readonly unknown[]) : listAt(root, 'messages');
  const id = text(root['instance_id']) ?? baseName(source.path);
  const draft = new SessionDraft({ reader: 'mini-swe-agent', path: source.path, seen: context.seenReplies, id });
  draft.diagnostics.push(...document.diagnostics);
  const run = new Run(draft, text(objectAt(objectAt(objectAt(root, 'info'), 'config'), 'model')['model_name']), items.some((item) => isObject(item) && (item['role'] === 'tool' || Array.isArray(item['tool_calls']) || item['object'] === 'response')));
  for (const [index, raw] of rawItems(document.json, path).entries()) {
    const value = items[index];
    if (isObject(value)) run.add({ value, json: raw.json, position: document.positionOf(raw.start), validUtf8: document.validUtf8 });
  }
  if (draft.calls.length === 0) yield emptySession('mini-swe-agent', source.path, [...document.diagnostics, noCalls(source.path, 'messages of a run')] as Diagnostic[]);
  else yield draft.build();
}

interface Stored {
  readonly value: JsonObject;
  readonly json: string;
  readonly position: SourcePosition;
  readonly validUtf8: boolean;
}

class Run {
  private path: PromptPath;

  constructor(private readonly draft: SessionDraft, private readonly model: string | undefined, callsTools: boolean) {
    // Without native tool calls there are no tools in the request, and the messages are all of it.
    this.path = callsTools ? emptyPath('reconstructed', ['tools-unknown']) : emptyPath('exact');
    if (!callsTools) draft.tools = { status: 'known', value: [] };
  }

  add(stored: Stored): void {
    const { value } = stored;
    // The last message of newer runs tells how the run ended; no model sees it.
    if (value['role'] === 'exit') return;
    if (value['object'] === 'response') this.response(value, stored);
    else if (value['role'] === 'assistant') this.assistant(stored);
    else this.seen(stored);
  }

  private assistant(stored: Stored): void {
    const message = messageOf(stored.value, `[${stored.json}]`, 0);
    if (message === undefined) return;
    const response = objectAt(objectAt(stored.value, 'extra'), 'response');
    const isNotice = message.parts.every((part) => part.kind === 'text' && authorOf(part.text, EXITS, 'sampled') === 'harness') && message.parts.length > 0;
    if (isNotice) this.path = say(this.path, { role: 'assistant', parts: withAuthor(message.parts, 'harness') });
    else this.reply(message.parts, response, stored, message.parts);
  }

  private seen(stored: Stored): void {
    const extra = objectAt(stored.value, 'extra');
    // A reply without a usable action is dropped from the messages; only the error that answers it still has it.
    const rejected = isObject(extra['response']) ? 'response' : isObject(extra['model_response']) ? 'model_response' : undefined;
    if (rejected !== undefined && stored.value['role'] !== 'assistant') this.rejected(objectAt(extra, rejected), rejected, stored);
    const message = messageOf(stored.value, `[${stored.json}]`, 0);
    if (message === undefined) {
      this.draft.note('warning', 'bad-message', `Expected a message with a known role, found "${String(stored.value['role'])}"; the prompt lacks it.`, stored.position);
      return;
    }
    if (message.role === 'system' && this.draft.systemPrompt.status === 'unknown') this.draft.systemPrompt = { status: 'known', value: message.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
    // All that is said after the task is what the harness answers.
    const after = this.draft.calls.length > 0 && message.role === 'user';
    this.path = say(this.path, after ? { ...message, parts: withAuthor(message.parts, 'tool') } : message);
  }

  private rejected(response: JsonObject, key: string, stored: Stored): void {
    const span = findRaw(stored.json, ['extra', key, 'choices', 0, 'message']);
    const choice = objectsAt(response, 'choices')[0]?.item ?? {};
    const message: SessionMessage | undefined = span === undefined ? undefined : messageOf(objectAt(choice, 'message'), `[${stored.json.slice(span.start, span.end)}]`, 0);
    const parts = message?.parts ?? outputParts(response, stored, ['extra', key]);
    if (parts.length === 0) return;
    const before = this.path;
    this.reply(parts, response, stored, []);
    this.path = { ...before, parentId: before.parentId };
    this.draft.operation('retry', 'the reply had no usable action and was dropped', stored.position);
  }

  private response(response: JsonObject, stored: Stored): void {
    const parts = outputParts(response, stored, []);
    if (parts.length > 0) this.reply(parts, response, stored, parts);
  }

  private reply(sampled: readonly MessagePart[], response: JsonObject, stored: Stored, resent: readonly MessagePart[]): void {
    const choice = objectsAt(response, 'choices')[0]?.item ?? {};
    const usage = objectAt(response, 'usage');
    const counted = usageOf(usage['prompt_tokens'] ?? usage['input_tokens'], usage['completion_tokens'] ?? usage['output_tokens']);
    const model = text(response['model']) ?? this.model;
    // What a provider says of its reasoning is not in the content and is not sent back.
    const reasoning = sampled.some((part) => part.kind === 'reasoning') ? undefined : ['reasoning_content', 'reasoning'].map((key) => text(objectAt(choice, 'message')[key])).find((thought) => thought !== undefined);
    const whole = reasoning === undefined ? sampled : [textPart(reasoning, 'sampled', { kind: 'reasoning', validUtf8: stored.validUtf8 }), ...sampled];
    this.path = this.draft.reply(this.path, {
      sampled: whole, resent, position: stored.position, validUtf8: stored.validUtf8, finishReason: finishReasonOf(choice, whole),
      ...(counted === undefined || count(counted.outputTokens) === undefined ? {} : { usage: counted }), ...(model === undefined ? {} : { model }),
    });
  }
}

const EXITS = ['Exit due to ', 'Exited (', 'LimitsExceeded'] as const;

function outputParts(response: JsonObject, stored: Stored, path: readonly (string | number)[]): MessagePart[] {
  return objectsAt(response, 'output').flatMap(({ item, index }) => {
    const found = itemOf(item, { json: stored.json, path: [...path, 'output', index], validUtf8: stored.validUtf8 });
    return found.kind === 'sampled' ? found.parts : [];
  });
}

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', end_turn: 'stop', eos: 'stop', length: 'length', max_tokens: 'length', tool_calls: 'tool-calls', tool_use: 'tool-calls' };

function finishReasonOf(choice: JsonObject, parts: readonly MessagePart[]): FinishReason {
  const stated = text(choice['finish_reason'])?.toLowerCase();
  if (stated !== undefined) return REASONS[stated] ?? 'unknown';
  return parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop';
}
