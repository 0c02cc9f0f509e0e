import type { FinishReason, ModelCall, Session, SessionMessage, SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { blockMessages, blockReply } from '../common/anthropic-content.js';
import type { JsonDocument } from '../common/document.js';
import { rawItems } from '../common/document.js';
import { authorOf } from '../common/harness-openers.js';
import { textPart, withAuthor } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { emptyPath, say, sayAll, weaken } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { count, listAt, objectAt, text, usageOf } from '../common/values.js';
import type { DeletedRange } from './history.js';
import { sentPlaces } from './history.js';

const OPENERS = ['<environment_details>', '<SYSTEM_NOTICE>', '[ERROR]', '[NOTE]', '[TASK RESUMPTION]', '<explicit_instructions', '<file_content', '<feedback>', '# Context Window Usage'] as const;

interface TaskMessage {
  readonly value: JsonObject;
  readonly json: string;
  readonly position: SourcePosition;
}

/** Makes calls of a task's list of messages; what the client left out of a request is left out of its prompt. */
export function buildTask(document: JsonDocument, options: { readonly path: string; readonly name: string; readonly seen: Set<string>; readonly ranges: readonly DeletedRange[] }): Session {
  const root = isObject(document.value) ? document.value : {};
  const sessionId = text(root['sessionId']) ?? options.name;
  const draft = new SessionDraft({ reader: 'cline', path: options.path, seen: options.seen, id: sessionId });
  draft.diagnostics.push(...document.diagnostics);
  const messages = messagesOf(document, root);
  const values = messages.map((message) => message.value);
  const agent = agentOf(root);
  const counts = values.some((value) => isObject(value['metrics']));
  const start = startOf(root, draft);
  const said = new Map<number, SessionMessage[]>();
  let path = start;
  let before: readonly number[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.value['role'] !== 'assistant') {
      said.set(index, isCopyOfSummary(message.value) ? summaries(message.value) : blockMessages(message.value['content'], (written) => authorOf(written, OPENERS), withoutWrapper));
      continue;
    }
    const places = sentPlaces(values, index, options.ranges);
    const linear = before.every((place, at) => places[at] === place);
    if (!linear) {
      draft.operation('compaction', `${before.length - places.filter((place) => place < index).length + 1} messages left out of the request`, message.position);
      path = { ...weaken(start, 'reconstructed', 'history-shortened') };
    }
    for (const place of linear ? places.slice(before.length) : places) path = sayAll(path, said.get(place) ?? []);
    const reply = replyOf(draft, path, message, values[index + 1], { document, sessionId, agent, counts });
    path = reply.path;
    said.set(index, reply.message === undefined ? [] : [reply.message]);
    before = [...places, index];
  }
  return { ...draft.build(), id: agent === undefined ? sessionId : `${sessionId}#${agent.id}` };
}

function messagesOf(document: JsonDocument, root: JsonObject): TaskMessage[] {
  const path = isObject(document.value) ? ['messages'] : [];
  const items = Array.isArray(document.value) ? (document.value as readonly unknown[]) : listAt(root, 'messages');
  return rawItems(document.json, path).flatMap((raw, index): TaskMessage[] => {
    const value = items[index];
    return isObject(value) ? [{ value, json: raw.json, position: document.positionOf(raw.start) }] : [];
  });
}

function startOf(root: JsonObject, draft: SessionDraft): PromptPath {
  const system = text(root['system_prompt']);
  if (system === undefined) return emptyPath('reconstructed', ['system-prompt-unknown', 'tools-unknown']);
  draft.systemPrompt = { status: 'known', value: system };
  return say(emptyPath('reconstructed', ['tools-unknown']), { role: 'system', parts: [textPart(system, 'system')] });
}

interface ReplyContext {
  readonly document: JsonDocument;
  readonly sessionId: string;
  readonly agent: ModelCall['agent'];
  readonly counts: boolean;
}

function replyOf(draft: SessionDraft, path: PromptPath, { value, json, position }: TaskMessage, next: JsonObject | undefined, context: ReplyContext): { readonly path: PromptPath; readonly message: SessionMessage | undefined } {
  const sampled = blockReply(value['content'], { json, path: ['content'], validUtf8: context.document.validUtf8 });
  const metrics = objectAt(value, 'metrics');
  // An error that was shown stands in the list as if the model had said it; the model never sees it.
  if (sampled.length === 0 || objectAt(value, 'metadata')['displayOnly'] === true) return { path, message: undefined };
  if (value['isSummary'] === true) {
    const message: SessionMessage = { role: 'assistant', parts: withAuthor(sampled, 'summary') };
    return { path: say(path, message), message };
  }
  const id = text(value['id']);
  const usage = usageOf((count(metrics['inputTokens']) ?? Number.NaN) + (count(metrics['cacheReadTokens']) ?? 0), metrics['outputTokens']);
  const model = text(objectAt(value, 'modelInfo')['id']) ?? text(objectAt(value, 'modelInfo')['modelId']);
  const hasCalls = sampled.some((part) => part.kind === 'tool-call');
  // Where replies are counted, one that was not had been cut.
  const cut = context.counts && !isObject(value['metrics']) && !hasCalls;
  const finishReason: FinishReason = cut ? 'aborted' : hasCalls ? 'tool-calls' : next === undefined ? 'unknown' : 'stop';
  const after = draft.reply(path, {
    ...(id === undefined ? {} : { id, serverId: `${context.sessionId}:${id}` }), sampled, position, finishReason, ...(cut ? { lossReason: 'aborted-reply' } : {}),
    ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }), ...(context.agent === undefined ? {} : { agent: context.agent }),
  });
  return { path: after, message: after.head?.message };
}

function isCopyOfSummary(value: JsonObject): boolean {
  return value['isSummary'] === true;
}

function summaries(value: JsonObject): SessionMessage[] {
  return blockMessages(value['content'], () => 'summary');
}

/** The model gets the bare text (Cline CLI 3.0.65 against a scripted upstream). */
function withoutWrapper(written: string): string {
  const found = /^<user_input mode="[^"]*">([\s\S]*)<\/user_input>$/.exec(written);
  return found?.[1] ?? written;
}

function agentOf(root: JsonObject): ModelCall['agent'] {
  const id = text(root['agent']);
  return id === undefined || id === 'lead' ? undefined : { id };
}
