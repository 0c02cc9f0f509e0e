import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import type { PromptPath } from '../common/prompt-path.js';
import { breakPath, emptyPath, say } from '../common/prompt-path.js';
import { readRecordStream } from '../common/record-stream.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, objectAt, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { messageOf } from '../openai-messages/message.js';
import { findRaw } from '../json-lines/raw-json.js';

/** Reads the simple trace format of the Hugging Face Hub. */
export const stsReader: SessionReader = {
  name: 'hf-sts',
  description: 'Hugging Face simple traces (JSON lines of a session header and messages)',
  detect: (head) => detectSts(head),
  read: readSts,
};

function detectSts(head: Uint8Array): number {
  const { records } = sniffHead(head);
  const header = records.some((record) => record['type'] === 'session' && 'harness' in record);
  const messages = records.filter((record) => record['type'] === 'message' && isObject(record['message'])).map((record) => objectAt(record, 'message'));
  const simple = messages.some((message) => typeof message['content'] === 'string' || 'toolCalls' in message || 'toolCallId' in message || 'reasoningContent' in message);
  const tree = records.some((record) => 'parentId' in record);
  // pi's files may have the same header.
  if (header && (simple || messages.length === 0) && !tree) return 0.97;
  return simple && !tree && messages.some((message) => 'toolCalls' in message || 'toolCallId' in message || 'reasoningContent' in message) ? 0.9 : 0;
}

async function* readSts(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const faults: Diagnostic[] = [];
  let draft: SessionDraft | undefined;
  let path: PromptPath = start();
  for await (const found of readRecordStream(source, context.signal, (fault) => faults.push(fault))) {
    const position = { file: source.path, line: found.line, byteOffset: found.byteOffset };
    if (found.value?.['type'] === 'session') {
      if (draft !== undefined) yield { ...draft.build(), diagnostics: [...faults.splice(0), ...draft.build().diagnostics] };
      draft = new SessionDraft({ reader: 'hf-sts', path: source.path, seen: context.seenReplies, id: text(found.value['id']) ?? baseName(source.path) });
      path = start();
      continue;
    }
    draft ??= new SessionDraft({ reader: 'hf-sts', path: source.path, seen: context.seenReplies, id: baseName(source.path) });
    if (found.value === undefined) path = breakPath(path, 'damaged-record');
    else path = added(draft, path, found.value, found.text, { position, validUtf8: found.validUtf8 });
  }
  if (draft === undefined) return;
  const session = draft.build();
  yield { ...session, diagnostics: [...faults, ...session.diagnostics] };
}

function start(): PromptPath {
  return emptyPath('reconstructed', ['tools-unknown']);
}

function added(draft: SessionDraft, path: PromptPath, record: JsonObject, json: string, at: { readonly position: { file: string; line: number; byteOffset: number }; readonly validUtf8: boolean }): PromptPath {
  const stored = objectAt(record, 'message');
  const span = findRaw(json, ['message']);
  if (span === undefined) return path;
  // The names of chat completions, in camel case.
  const raw = json.slice(span.start, span.end).replace('"toolCalls"', '"tool_calls"');
  const value = { ...stored, reasoning_content: stored['reasoningContent'], tool_calls: stored['toolCalls'], tool_call_id: stored['toolCallId'] };
  const message = messageOf(value, `[${raw}]`, 0);
  if (message === undefined) return path;
  if (message.role === 'system' && draft.systemPrompt.status === 'unknown') draft.systemPrompt = { status: 'known', value: message.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
  if (message.role !== 'assistant') return say(path, message);
  const model = text(stored['model']);
  return draft.reply(path, { sampled: message.parts, position: at.position, validUtf8: at.validUtf8, finishReason: message.parts.some((part) => part.kind === 'tool-call') ? 'tool-calls' : 'stop', ...(model === undefined ? {} : { model }) });
}
