import type { Diagnostic, ReadContext, Session, SessionReader, SourceFile, ToolDefinition } from '@turnwright/contracts';
import { noCalls } from '../common/empty-session.js';
import type { FoundObject } from '../common/json-objects.js';
import { readObjects } from '../common/json-objects.js';
import { breakPath, emptyPath } from '../common/prompt-path.js';
import { RequestTree } from '../common/request-tree.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, text } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { toolsOf } from '../openai-messages/tools.js';
import { replyOf, requestMessages } from './apis.js';
import type { Exchange } from './exchange.js';
import { exchangeOf } from './exchange.js';

/** Reads logs of requests and responses: Anthropic messages, OpenAI chat completions and responses, streamed or not. */
export const requestLogReader: SessionReader = {
  name: 'request-log',
  description: 'Logs of API requests with their responses (Anthropic, OpenAI, LiteLLM, OpenHands completions), a row or a file each',
  detect: (head) => detectRequestLog(head),
  read: readRequestLog,
};

function detectRequestLog(head: Uint8Array): number {
  const { records, members, firstItem, text: start } = sniffHead(head);
  if (records.some((record) => exchangeOf(record, JSON.stringify(record))?.hasRequest === true)) return 0.9;
  if (members.has('messages') && (members.get('response')?.startsWith('{') === true || members.has('kwargs')) && !members.has('trajectory')) return 0.9;
  const request = members.get('request');
  if (request !== undefined && /"(?:messages|input)"\s*:/.test(request) && (members.has('response') || members.get('request')?.endsWith('}') === false)) return 0.85;
  if (firstItem !== undefined && 'scope' in firstItem && 'method' in firstItem && 'path' in firstItem) return 0.9;
  if (firstItem !== undefined && exchangeOf(firstItem, JSON.stringify(firstItem))?.hasRequest === true) return 0.9;
  return /^\s*\[?\s*\{\s*"(?:request|messages)"[\s\S]*"response"\s*:\s*\{/.test(start.slice(0, 200_000)) ? 0.6 : 0;
}

async function* readRequestLog(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const draft = new SessionDraft({ reader: 'request-log', path: source.path, seen: context.seenReplies, id: baseName(source.path) });
  const tree = new RequestTree(draft);
  const faults: Diagnostic[] = [];
  let silent = 0;
  for await (const found of readObjects(source, context.signal, (fault) => faults.push(fault))) {
    const exchange = exchangeOf(found.value, found.json);
    if (exchange === undefined) silent++;
    else addExchange(draft, tree, exchange, found);
  }
  draft.diagnostics.push(...faults);
  const place = { file: source.path, line: 0, byteOffset: 0 };
  if (draft.calls.length === 0) draft.diagnostics.push(noCalls(source.path, 'requests with their responses'));
  else if (silent > 0) draft.note('info', 'no-exchange', `Expected requests with their responses, found ${silent} rows without one; they were skipped.`, place);
  yield draft.build();
}

function addExchange(draft: SessionDraft, tree: RequestTree, exchange: Exchange, { value, position, validUtf8 }: FoundObject): void {
  const reply = replyOf(exchange, validUtf8);
  if (reply === undefined || reply.sampled.length === 0) return;
  const tools = toolsIn(exchange);
  if (exchange.hasRequest && draft.tools.status === 'unknown' && tools !== undefined) draft.tools = { status: 'known', value: tools };
  const messages = requestMessages(exchange);
  const first = messages[0];
  if (draft.systemPrompt.status === 'unknown' && first?.role === 'system') draft.systemPrompt = { status: 'known', value: first.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
  const path = tree.follow(exchange.hasRequest ? emptyPath('exact') : breakPath(emptyPath(), 'request-not-recorded'), messages);
  const model = text(exchange.response['model']) ?? text(exchange.request['model']);
  const serverId = text(exchange.response['id']);
  const cut = reply.finishReason === 'aborted' || reply.finishReason === 'failed';
  const id = serverId ?? text(value['id']);
  tree.reply(path, {
    ...(id === undefined ? {} : { id }), ...(serverId === undefined ? {} : { serverId }), sampled: reply.sampled, validUtf8, finishReason: reply.finishReason, position,
    ...(cut ? { lossReason: 'aborted-reply' } : {}), ...(reply.usage === undefined ? {} : { usage: reply.usage }), ...(reply.tokens === undefined ? {} : { tokens: reply.tokens }), ...(model === undefined ? {} : { model }),
  });
}

/** A request without tools offered none. */
function toolsIn({ tools }: Exchange): readonly ToolDefinition[] | undefined {
  if (tools === undefined) return [];
  const anthropic = Array.isArray(tools) ? (tools as readonly unknown[]).map((tool) => (isObject(tool) && isObject(tool['input_schema']) ? { type: 'function', function: { name: tool['name'], description: tool['description'], parameters: tool['input_schema'] } } : tool)) : tools;
  const row: JsonObject = { tools: anthropic };
  const known = toolsOf(row, JSON.stringify(row));
  return known.status === 'unknown' ? undefined : known.value;
}
