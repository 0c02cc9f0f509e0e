import type { FinishReason, MessagePart, SessionMessage } from '@turnwright/contracts';
import { extendPrompt } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { functionResponse, modelParts, seenMessages } from '../common/gemini-content.js';
import { authorOf } from '../common/harness-openers.js';
import { parsedCall, summarisedReasoning } from '../common/parts.js';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, nextFingerprint, say, weaken } from '../common/prompt-path.js';
import type { SessionDraft } from '../common/session-draft.js';
import { listAt, objectAt, objectsAt, text, usageOf } from '../common/values.js';
import { isObject } from '../json-lines/records.js';
import type { ChatMessage } from './chat-log.js';

const OPENERS = ['<session_context>', 'This is the Gemini CLI.', '<system-reminder>', '<hook_context>', '--- Content from referenced files ---'] as const;

/** Turns a list of messages into calls; a reply that was met before is context, and continues the call that it was. */
export class ChatWalk {
  /** The client wrote the history anew, and trimmed texts. */
  rewritten = false;
  private readonly known = new Map<string, string | undefined>();
  private brokenFrom: number | undefined;

  constructor(private readonly draft: SessionDraft) {}

  breakBehind(messageCount: number): void {
    this.brokenFrom ??= messageCount;
  }

  run(messages: readonly ChatMessage[]): void {
    const answered = new Set(messages.flatMap(({ value }) => objectsAt(value, 'content').flatMap(({ item }) => text(objectAt(item, 'functionResponse')['id']) ?? [])));
    let path = emptyPath('reconstructed', ['system-prompt-unknown', 'tools-unknown']);
    if (this.rewritten) path = weaken(path, 'approximate', 'history-rewritten');
    const said = new Set<string>();
    for (const [index, message] of messages.entries()) {
      if (index === this.brokenFrom) path = breakPath(path, 'damaged-record');
      path = isReply(message.value) ? this.reply(path, message, messages[index + 1], answered) : this.seen(path, message, said);
    }
  }

  /** Resuming repeats responses; the model gets one answer for each call. */
  private seen(path: PromptPath, { value, json }: ChatMessage, said: Set<string>): PromptPath {
    if (value['type'] !== 'user' && value['role'] !== 'user') return path;
    const key = 'parts' in value ? 'parts' : 'content';
    const messages = seenMessages(value[key], { json, path: [key] }, (written) => authorOf(written, OPENERS));
    return messages.filter((message) => firstTime(message, said)).reduce(say, path);
  }

  private reply(path: PromptPath, message: ChatMessage, next: ChatMessage | undefined, answered: ReadonlySet<string>): PromptPath {
    const { value, position } = message;
    const sampled = sampledParts(message);
    // Thoughts are never sent back.
    const resent = sampled.filter((part) => part.kind !== 'reasoning');
    const id = text(value['id']);
    const known = id !== undefined && this.known.has(id);
    let after: PromptPath;
    if (known) after = again(path, resent, this.known.get(id));
    else {
      const before = this.draft.calls.length;
      const tokens = objectAt(value, 'tokens');
      const usage = usageOf(tokens['input'], tokens['output']);
      const model = text(value['model']);
      if (sampled.length === 0) return path;
      after = this.draft.reply(path, {
        ...(id === undefined ? {} : { id, serverId: id }), sampled, resent, position, finishReason: finishReasonOf(message, sampled, next),
        ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }),
      });
      if (id !== undefined) this.known.set(id, this.draft.calls[before]?.id);
    }
    return storedResults(message, answered).reduce(say, after);
  }
}

function isReply(value: JsonObject): boolean {
  return value['type'] === 'gemini' || value['role'] === 'model' || value['type'] === 'model';
}

function firstTime(message: SessionMessage, said: Set<string>): boolean {
  const part = message.parts[0];
  if (part?.kind !== 'tool-result' || part.toolCallId === undefined) return true;
  const fresh = !said.has(part.toolCallId);
  said.add(part.toolCallId);
  return fresh;
}

function again(path: PromptPath, parts: readonly MessagePart[], callId: string | undefined): PromptPath {
  if (parts.length === 0) return { ...path, parentId: callId };
  const said = { role: 'assistant', parts, ...(callId === undefined ? {} : { callId }) } as const;
  return { ...path, head: extendPrompt(path.head, said), parentId: callId, fingerprint: nextFingerprint(path.fingerprint, said) };
}

function sampledParts({ value, json, validUtf8 }: ChatMessage): MessagePart[] {
  const thoughts = objectsAt(value, 'thoughts').flatMap(({ item }) => {
    const digest = [text(item['subject']), text(item['description'])].filter((line) => line !== undefined).join('\n');
    return digest === '' ? [] : [digest];
  });
  const key = 'parts' in value ? 'parts' : 'content';
  const written = modelParts(value[key], { json, path: [key], validUtf8, thoughts: 'summaries' });
  const calls = objectsAt(value, 'toolCalls').map(({ item, index }) => parsedCall(text(item['id']), text(item['name']) ?? '', json, ['toolCalls', index, 'args']));
  return [...(thoughts.length > 0 ? [summarisedReasoning(thoughts.join('\n\n'))] : []), ...written, ...calls];
}

/** Older files keep the results in the call, newer ones in a message of their own, too. */
function storedResults({ value, json }: ChatMessage, answered: ReadonlySet<string>): SessionMessage[] {
  return objectsAt(value, 'toolCalls').flatMap(({ item, index }): SessionMessage[] => {
    const id = text(item['id']);
    if (id !== undefined && answered.has(id)) return [];
    return listAt(item, 'result').flatMap((part, place): SessionMessage[] => {
      const response = isObject(part) ? part['functionResponse'] : undefined;
      if (!isObject(response)) return [];
      return [{ role: 'tool', parts: [functionResponse(response, { json, path: ['toolCalls', index, 'result'] }, [place, 'functionResponse', 'response'])] }];
    });
  });
}

/** The file says nothing of how a reply ended: a call was run, or the turn went on without a restart of the client. */
function finishReasonOf(message: ChatMessage, sampled: readonly MessagePart[], next: ChatMessage | undefined): FinishReason {
  if (sampled.some((part) => part.kind === 'tool-call')) return 'tool-calls';
  return message.last === true || next === undefined ? 'unknown' : 'stop';
}
