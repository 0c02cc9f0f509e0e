import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { toolDefinitions } from '../codex/tools.js';
import { rawItems, readDocument } from '../common/document.js';
import { emptySession, noCalls } from '../common/empty-session.js';
import type { FoundObject } from '../common/json-objects.js';
import { readObjects } from '../common/json-objects.js';
import { textPart } from '../common/parts.js';
import { emptyPath, say } from '../common/prompt-path.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, listAt, objectAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { ItemRun, modelField } from './item-run.js';

/** Reads conversations of OpenAI Responses items: rollouts of NeMo Gym with their tokens, requests with their output, and lists of items. */
export const responsesReader: SessionReader = {
  name: 'responses',
  description: 'OpenAI Responses items: NeMo Gym rollouts, {"input": …, "output": …}, and lists of items',
  detect: (head) => detectResponses(head),
  read: readResponses,
};

function detectResponses(head: Uint8Array): number {
  const { records, members, firstItem, text: start } = sniffHead(head);
  if (members.has('responses_create_params') || records.some((record) => isObject(record['responses_create_params']))) return 1;
  if (/^\s*\{\s*"responses_create_params"/.test(start)) return 1;
  if (members.has('output') && /^\[/.test(members.get('output') ?? '') && (members.has('input') || members.get('object') === '"response"')) return 0.8;
  return firstItem !== undefined && ((Array.isArray(firstItem['content']) && /"(?:input|output)_text"/.test(JSON.stringify(firstItem['content']))) || (firstItem['type'] === 'function_call' && 'call_id' in firstItem)) ? 0.8 : 0;
}

async function* readResponses(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const faults: Diagnostic[] = [];
  const document = isList(await source.slice(0, Math.min(64, source.sizeBytes))) ? await readDocument(source) : undefined;
  let yielded = false;
  if (document !== undefined && isItemList(document.value)) {
    const found: FoundObject = { value: { input: document.value }, json: `{"input":${document.json}}`, validUtf8: document.validUtf8, position: document.positionOf(0), ordinal: 0 };
    const session = sessionOf(found, source.path, context.seenReplies, true);
    yield { ...session, diagnostics: [...document.diagnostics, ...session.diagnostics] };
    return;
  }
  for await (const found of readObjects(source, context.signal, (fault) => faults.push(fault))) {
    const session = sessionOf(found, source.path, context.seenReplies, false);
    yield { ...session, diagnostics: [...faults.splice(0), ...session.diagnostics, ...(session.calls.length === 0 ? [noCalls(source.path, 'items of a reply')] : [])] };
    yielded = true;
  }
  if (!yielded || faults.length > 0) yield emptySession('responses', source.path, yielded ? faults : [...faults, noCalls(source.path, 'a row')]);
}

function isList(head: Uint8Array): boolean {
  return new TextDecoder().decode(head).replace(/^\uFEFF/, '').trimStart().startsWith('[');
}

function isItemList(value: unknown): boolean {
  return Array.isArray(value) && (value as readonly unknown[]).every((item) => isObject(item) && !('responses_create_params' in item) && !('output' in item && 'input' in item));
}

/** One row; in a bare list of items every reply is its own. */
function sessionOf({ value, json, validUtf8, position, ordinal }: FoundObject, path: string, seen: Set<string>, listOnly: boolean): Session {
  const nested = isObject(value['responses_create_params']);
  const request = nested ? objectAt(value, 'responses_create_params') : value;
  const response = isObject(value['response']) ? value['response'] : value;
  const requestPath = nested ? ['responses_create_params'] : [];
  const outputPath = isObject(value['response']) ? ['response', 'output'] : ['output'];
  const name = text(value['id']) ?? text(value['instance_id']) ?? baseName(path);
  const draft = new SessionDraft({ reader: 'responses', path, seen, id: `${name}#${ordinal}` });
  const tools = listAt(request, 'tools').filter(isObject);
  const toolsKnown = Array.isArray(request['tools']);
  if (toolsKnown) draft.tools = toolDefinitions(tools);
  let start = emptyPath('reconstructed', toolsKnown ? [] : ['tools-unknown']);
  const instructions = text(request['instructions']);
  if (instructions !== undefined) {
    draft.systemPrompt = { status: 'known', value: instructions };
    start = say(start, { role: 'system', parts: [textPart(instructions, 'system')] });
  }
  const masked = value['mask_sample'] === true || value['mask_sample'] === 1;
  const run = new ItemRun(draft, start, { ...modelField(response['model'] ?? request['model']), ...(masked ? { lossReason: 'masked-sample' } : {}) });
  if (typeof request['input'] === 'string') run.path = say(run.path, { role: 'user', parts: [textPart(request['input'], 'user')] });
  feed(run, request['input'], json, [...requestPath, 'input'], { position, validUtf8, asContext: !listOnly });
  feed(run, response['output'], json, outputPath, { position, validUtf8, asContext: false });
  const usage = objectAt(response, 'usage');
  const counted = draft.calls.length === 0 ? usageOf(usage['input_tokens'], usage['output_tokens']) : undefined;
  run.close(objectAt(response, 'incomplete_details')['reason'] === undefined ? 'stop' : 'length', counted === undefined ? {} : { usage: counted });
  draft.reward = typeof value['reward'] === 'number' && Number.isFinite(value['reward']) ? value['reward'] : undefined;
  return draft.build();
}

function feed(run: ItemRun, list: unknown, json: string, path: readonly string[], at: { readonly position: FoundObject['position']; readonly validUtf8: boolean; readonly asContext: boolean }): void {
  if (!Array.isArray(list)) return;
  const items: readonly unknown[] = list;
  for (const [index, raw] of rawItems(json, path).entries()) {
    const item = items[index];
    if (isObject(item)) run.add(item as JsonObject, raw.json, at.position, at.validUtf8, at.asContext);
  }
}
