import type { ReadContext, Session, SessionMessage, SessionReader, SourceFile, SourcePosition } from '@turnwright/contracts';
import type { JsonDocument } from '../common/document.js';
import { rawItems, readDocument } from '../common/document.js';
import { noCalls } from '../common/empty-session.js';
import { textPart, withAuthor } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { emptyPath, say } from '../common/prompt-path.js';
import { RequestTree } from '../common/request-tree.js';
import { SessionDraft } from '../common/session-draft.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';
import { baseName, listAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { messageOf } from '../openai-messages/message.js';

/** Reads `.traj` files of SWE-agent: by the requests that newer ones store, else by the history. */
export const sweAgentReader: SessionReader = {
  name: 'swe-agent',
  description: 'SWE-agent trajectories (.traj)',
  detect: (head) => detectSweAgent(head),
  read: readSweAgent,
};

function detectSweAgent(head: Uint8Array): number {
  const { members } = sniffHead(head);
  const step = firstItemOf(members.get('trajectory'));
  if (step !== undefined && 'action' in step && ('observation' in step || 'response' in step)) return 1;
  const first = firstItemOf(members.get('history'));
  if (first !== undefined && 'role' in first && ('agent' in first || 'message_type' in first)) return 0.95;
  return members.has('environment') && members.has('trajectory') ? 0.8 : 0;
}

/** A message or a step with its text. */
interface Stored {
  readonly value: JsonObject;
  readonly json: string;
  readonly position: SourcePosition;
  readonly validUtf8: boolean;
}

async function* readSweAgent(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const document = await readDocument(source);
  const root = isObject(document.value) ? document.value : {};
  const draft = new SessionDraft({ reader: 'swe-agent', path: source.path, seen: context.seenReplies, id: baseName(source.path) });
  draft.diagnostics.push(...document.diagnostics);
  const steps = storedAt(document, root, 'trajectory');
  if (steps.some((step) => Array.isArray(step.value['query']))) readQueries(draft, steps);
  else {
    const history = storedAt(document, root, 'history');
    if (history.length > 0) readHistory(draft, history);
    else readSteps(draft, steps);
  }
  if (draft.calls.length === 0) draft.diagnostics.push(noCalls(source.path, 'replies in a trajectory or a history'));
  yield draft.build();
}

function storedAt(document: JsonDocument, root: JsonObject, key: string): Stored[] {
  const items = listAt(root, key);
  return rawItems(document.json, [key]).flatMap((raw, index): Stored[] => {
    const value = items[index];
    return isObject(value) ? [{ value, json: raw.json, position: document.positionOf(raw.start), validUtf8: document.validUtf8 }] : [];
  });
}

/** From version 1.1 on, a step has the request that it answers. */
function readQueries(draft: SessionDraft, steps: readonly Stored[]): void {
  const tree = new RequestTree(draft);
  for (const { value, json, position, validUtf8 } of steps) {
    const query = listAt(value, 'query');
    const messages = rawItems(json, ['query']).flatMap((raw, index) => seen(query[index], raw.json) ?? []);
    const callsTools = messages.some((message) => message.role === 'tool') || Array.isArray(value['tool_calls']);
    const path = tree.follow(emptyPath(callsTools ? 'reconstructed' : 'exact', callsTools ? ['tools-unknown'] : []), messages);
    noteSystem(draft, messages);
    const sampled = replyOf(value, json, 'response');
    if (sampled === undefined || sampled.parts.length === 0 || isSynthetic(sampled)) continue;
    tree.reply(path, { sampled: sampled.parts, position, validUtf8, finishReason: sampled.parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop' });
  }
}

/** The history is what the agent knows; processors cut observations from requests, so that no prompt of it is exact (SWE-agent pull 1100). */
function readHistory(draft: SessionDraft, history: readonly Stored[]): void {
  let path: PromptPath = emptyPath('approximate', ['history-processors', 'tools-unknown']);
  for (const { value, json, position, validUtf8 } of history) {
    const message = seen(value, json);
    if (message === undefined) continue;
    noteSystem(draft, [message]);
    if (message.role !== 'assistant' || value['is_demo'] === true) path = say(path, message.role === 'assistant' ? { ...message, parts: withAuthor(message.parts, 'demo') } : message);
    else if (isSynthetic(message)) path = say(path, { ...message, parts: withAuthor(message.parts, 'harness') });
    else path = draft.reply(path, { sampled: message.parts, position, validUtf8, finishReason: message.parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop' });
  }
}

/** Without a history, what stands before the first step is not known. */
function readSteps(draft: SessionDraft, steps: readonly Stored[]): void {
  let path: PromptPath = emptyPath('unknown-prefix', ['history-missing', 'tools-unknown']);
  for (const { value, json, position, validUtf8 } of steps) {
    const sampled = replyOf(value, json, 'response');
    if (sampled !== undefined && sampled.parts.length > 0 && !isSynthetic(sampled)) path = draft.reply(path, { sampled: sampled.parts, position, validUtf8, finishReason: 'stop', lossReason: 'prompt-incomplete' });
    const observation = text(value['observation']);
    if (observation !== undefined) path = say(path, { role: 'user', parts: [textPart(observation, 'tool', { exactness: 're-rendered' })] });
  }
}

function seen(value: unknown, json: string): SessionMessage | undefined {
  if (!isObject(value)) return undefined;
  const ids = listAt(value, 'tool_call_ids');
  const message = messageOf(value['role'] === 'tool' && ids.length > 0 ? { tool_call_id: ids[0], ...value } : value, `[${json}]`, 0);
  if (message?.role !== 'user') return message;
  const demo = value['is_demo'] === true || value['message_type'] === 'demonstration';
  const observed = value['message_type'] === 'observation';
  return demo || observed ? { ...message, parts: withAuthor(message.parts, demo ? 'demo' : 'tool') } : message;
}

/** A step's reply: its text, and the calls that newer files keep beside it. */
function replyOf(value: JsonObject, json: string, key: string): SessionMessage | undefined {
  const written = value[key];
  if (typeof written !== 'string') return undefined;
  const calls = listAt(value, 'tool_calls').length > 0 ? value['tool_calls'] : undefined;
  return messageOf({ role: 'assistant', content: written, ...(calls === undefined ? {} : { tool_calls: calls }), ...thinkingOf(value) }, `[${json}]`, 0);
}

function thinkingOf(value: JsonObject): { reasoning?: string } {
  const first = listAt(value, 'thinking_blocks')[0];
  const thought = isObject(first) ? text(first['thinking']) : undefined;
  return thought === undefined ? {} : { reasoning: thought };
}

/** The harness ends a run in the words of the model: 229 of 448 public runs have such a reply. */
function isSynthetic({ parts }: SessionMessage): boolean {
  const written = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  return parts.every((part) => part.kind === 'text') && /^(?:Exit(?:ed)? (?:due to|\()|exit_(?:cost|context|format|error|forfeit)|Exiting due to)/i.test(written.trim());
}

function noteSystem(draft: SessionDraft, messages: readonly SessionMessage[]): void {
  const first = messages[0];
  if (draft.systemPrompt.status !== 'unknown' || first?.role !== 'system') return;
  draft.systemPrompt = { status: 'known', value: first.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
}

