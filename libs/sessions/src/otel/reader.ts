import type { Diagnostic, FinishReason, ReadContext, RecordedTokens, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { noCalls } from '../common/empty-session.js';
import { readObjects } from '../common/json-objects.js';
import { emptyPath } from '../common/prompt-path.js';
import { RequestTree } from '../common/request-tree.js';
import { SessionDraft } from '../common/session-draft.js';
import { sniffHead } from '../common/sniff.js';
import { baseName, listAt, text, usageOf } from '../common/values.js';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { toolsOf } from '../openai-messages/tools.js';
import { genAiMessages, systemMessage } from './messages.js';
import type { Span } from './spans.js';
import { flatMessages, listAttribute, spansOf } from './spans.js';

/** Reads spans of OpenTelemetry's conventions for generative models, of OpenInference, and their token ids. */
export const otelReader: SessionReader = {
  name: 'otel-genai',
  description: 'OpenTelemetry GenAI and OpenInference spans (OTLP JSON, JSON lines or lists of spans) with their content',
  detect: (head) => detectSpans(head),
  read: readSpans,
};

function detectSpans(head: Uint8Array): number {
  const { members, records, firstItem, text: start } = sniffHead(head);
  const named = /"(?:gen_ai\.(?:operation\.name|request\.model|input\.messages|output\.messages|prompt\.0|completion\.0)|llm\.(?:input|output)_messages\.0)/.test(start);
  const shaped = members.has('resourceSpans') || records.some((record) => 'attributes' in record || 'resourceSpans' in record) || (firstItem !== undefined && 'attributes' in firstItem) || members.has('spans') || members.has('attributes');
  if (named && shaped) return 0.95;
  return members.has('resourceSpans') ? 0.6 : 0;
}

async function* readSpans(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const faults: Diagnostic[] = [];
  const spans: Span[] = [];
  for await (const found of readObjects(source, context.signal, (fault) => faults.push(fault))) spans.push(...spansOf(found).filter(isModelSpan));
  const draft = new SessionDraft({ reader: 'otel-genai', path: source.path, seen: context.seenReplies, id: text(spans[0]?.attributes['gen_ai.conversation.id']) ?? baseName(source.path) });
  const tree = new RequestTree(draft);
  // Spans are exported when they end; a request stands before the ones that hold its reply.
  for (const span of [...spans].sort((a, b) => compare(a.startedAt, b.startedAt))) addSpan(draft, tree, span);
  draft.diagnostics.push(...faults);
  const place = { file: source.path, line: 0, byteOffset: 0 };
  if (spans.length === 0) draft.diagnostics.push(noCalls(source.path, 'spans of model requests'));
  else if (draft.calls.length === 0) draft.note('warning', 'no-content', 'Expected messages in the spans, found none: capturing content was off.', place);
  yield draft.build();
}

function compare(a: string, b: string): number {
  return a.length === b.length || !/^\d+$/.test(a + b) ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;
}

function isModelSpan({ attributes }: Span): boolean {
  const operation = attributes['gen_ai.operation.name'];
  if (operation !== undefined) return operation === 'chat' || operation === 'generate_content' || operation === 'text_completion';
  return attributes['openinference.span.kind'] === 'LLM' || 'gen_ai.output.messages' in attributes || Object.keys(attributes).some((key) => /^(?:gen_ai\.completion\.0|llm\.output_messages\.0)\./.test(key));
}

function addSpan(draft: SessionDraft, tree: RequestTree, span: Span): void {
  const { attributes, position, validUtf8 } = span;
  const input = listAttribute(span, 'gen_ai.input.messages') ?? eventMessages(span, 'gen_ai.input.messages') ?? flat(span, 'gen_ai.prompt', 'llm.input_messages');
  const output = listAttribute(span, 'gen_ai.output.messages') ?? eventMessages(span, 'gen_ai.output.messages') ?? flat(span, 'gen_ai.completion', 'llm.output_messages');
  const tokens = tokensOf(attributes);
  const first = output[0];
  const sampled = genAiMessages(isObject(first) ? [{ ...first, role: 'assistant' }] : [])[0]?.parts ?? [];
  if (sampled.length === 0 && tokens === undefined) return;
  const tools = toolsOf({ tools: listAttribute(span, 'gen_ai.tool.definitions', 'gen_ai.request.tools') }, JSON.stringify({ tools: listAttribute(span, 'gen_ai.tool.definitions', 'gen_ai.request.tools') ?? null }));
  if (draft.tools.status === 'unknown') draft.tools = tools;
  const messages = [...systemMessage(listAttribute(span, 'gen_ai.system_instructions')), ...genAiMessages(input)];
  const system = messages[0];
  if (draft.systemPrompt.status === 'unknown' && system?.role === 'system') draft.systemPrompt = { status: 'known', value: system.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
  const start = messages.length === 0 ? emptyPath('unknown-prefix', ['prompt-not-captured']) : tools.status === 'unknown' ? emptyPath('reconstructed', ['tools-unknown']) : emptyPath('exact');
  const usage = usageOf(attributes['gen_ai.usage.input_tokens'] ?? attributes['llm.token_count.prompt'], attributes['gen_ai.usage.output_tokens'] ?? attributes['llm.token_count.completion']);
  const model = text(attributes['gen_ai.response.model']) ?? text(attributes['gen_ai.request.model']) ?? text(attributes['llm.model_name']);
  const serverId = text(attributes['gen_ai.response.id']);
  const id = serverId ?? span.id;
  tree.reply(tree.follow(start, messages), {
    ...(id === undefined ? {} : { id }), ...(serverId === undefined ? {} : { serverId }), sampled, position, validUtf8, finishReason: finishOf(attributes, isObject(first) ? first : {}),
    ...(messages.length === 0 && tokens?.promptIds === undefined ? { lossReason: 'prompt-incomplete' } : {}), ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }), ...(tokens === undefined ? {} : { tokens }),
  });
}

/** Newer instrumentations put content into an event of the span. */
function eventMessages(span: Span, key: string): readonly unknown[] | undefined {
  for (const event of span.events) {
    const found = listAttribute({ ...span, attributes: event.attributes }, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function flat(span: Span, ...prefixes: readonly string[]): readonly JsonObject[] {
  return prefixes.map((prefix) => flatMessages(span, prefix)).find((messages) => messages.length > 0) ?? [];
}

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', end_turn: 'stop', length: 'length', max_tokens: 'length', tool_call: 'tool-calls', tool_calls: 'tool-calls', tool_use: 'tool-calls', content_filter: 'aborted', error: 'failed' };

function finishOf(attributes: JsonObject, output: JsonObject): FinishReason {
  const stated = text(listAt(attributes, 'gen_ai.response.finish_reasons')[0]) ?? text(output['finish_reason']);
  return REASONS[stated ?? ''] ?? 'unknown';
}

/** Agent Lightning adds what the server returned. */
function tokensOf(attributes: JsonObject): RecordedTokens | undefined {
  const outputIds = ids(attributes['response_token_ids']);
  const promptIds = ids(attributes['prompt_token_ids']);
  return outputIds === undefined || outputIds.length === 0 ? undefined : { ...(promptIds === undefined ? {} : { promptIds }), outputIds };
}

function ids(value: unknown): number[] | undefined {
  const list: unknown = typeof value === 'string' && value.startsWith('[') ? safely(value) : value;
  return Array.isArray(list) && (list as readonly unknown[]).every((id) => typeof id === 'number') ? (list as number[]) : undefined;
}

function safely(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
