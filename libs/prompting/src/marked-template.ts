import { AgentError, type ChatTemplate, type TemplateMessage, type TemplateRequest, type ToolDefinition } from '@turnwright/contracts';
import { alternation } from './added-tokens.js';
import { isJinjaChatTemplate, RequestMemo, type JinjaChatTemplate } from './chat-template.js';
import { Rendering } from './jinja/rendering.js';
import { sameText } from './jinja/trace.js';
import { DataText } from './python/data-text.js';
import type { Str } from './python/values.js';
import type { Marking } from './template-request.js';

/** Renders a request; what somebody typed is known from what the template wrote. */
export type RenderRequest = (request: TemplateRequest) => Rendering;

/**
 * Our own templates keep the account themselves. Any other one gets its request with a noncharacter after the first character of
 * each control text; what it prints must otherwise be what it prints without them.
 */
export function createRequestRenderer(template: ChatTemplate, control: ReadonlySet<string>, marking: Marking): RenderRequest {
  if (isJinjaChatTemplate(template)) return createVerifiedRenderer(template, marking);
  const render = marking === 'plain' || control.size === 0 ? (request: TemplateRequest): Str => template.render(request) : createGuardedRenderer(template, control);
  return (request) => Rendering.of(render(request));
}

/**
 * Renders with a memo, and now and then without one too: when the texts differ, the memo is given up.
 *
 * The samples become rarer with the renderings, so that their cost is a small part of one rendering of everything.
 */
function createVerifiedRenderer(template: JinjaChatTemplate, marking: Marking): RenderRequest {
  let memo: RequestMemo | undefined = new RequestMemo();
  let renderings = 0;
  let nextSample = FIRST_SAMPLE;
  return (request) => {
    const rendering = template.renderSegments(request, marking, memo);
    if (memo === undefined || ++renderings < nextSample) return rendering;
    nextSample *= SAMPLES_APART;
    const whole = template.renderSegments(request, marking, undefined);
    if (sameText(rendering.textAfter(undefined), whole.textAfter(undefined))) return rendering;
    memo = undefined;
    return whole;
  };
}

/** The first renderings, of a prompt and of it with its reply, have little to repeat. */
const FIRST_SAMPLE = 3;
const SAMPLES_APART = 5;

function createGuardedRenderer(template: ChatTemplate, control: ReadonlySet<string>): (request: TemplateRequest) => Str {
  const pattern = new RegExp(`(?=${alternation([...control])}).`, 'gsu');
  return (request) => {
    const plain = template.render(request);
    if (plain.search(pattern) < 0) return plain;
    const sentinel = NONCHARACTERS.find((character) => !JSON.stringify(request).includes(character) && !plain.includes(character));
    if (sentinel === undefined) throw new AgentError('template-failed', 'The conversation holds every noncharacter from U+FDD0 to U+FDEF, so none can be a sentinel.');
    const guarded = template.render(guardedRequest(request, (text) => text.replace(pattern, `$&${sentinel}`)));
    const marked = withoutSentinels(guarded, sentinel);
    if (marked.text !== plain) throw new AgentError('template-failed', 'The template decides by control-token text in the content, so that it cannot be kept apart.');
    return marked;
  };
}

/** Code points that are never text (Unicode 23.7); one that the conversation has not can be a sentinel. */
const NONCHARACTERS: readonly string[] = Array.from({ length: 0x20 }, (_, index) => String.fromCharCode(0xfdd0 + index));

/** The text, with each character before a sentinel known as the request's. */
function withoutSentinels(guarded: string, sentinel: string): DataText {
  const runs: number[] = [];
  let text = '';
  for (const piece of guarded.split(sentinel)) {
    if (text !== '') runs.push(text.length - 1, text.length);
    text += piece;
  }
  return new DataText(text, runs);
}

function guardedRequest(request: TemplateRequest, guard: (text: string) => string): TemplateRequest {
  return { ...request, messages: request.messages.map((message) => guardedMessage(message, guard)), ...(request.tools === undefined ? {} : { tools: request.tools.map((tool) => guardedTool(tool, guard)) }) };
}

function guardedMessage(message: TemplateMessage, guard: (text: string) => string): TemplateMessage {
  const { reasoning_content: reasoning, tool_calls: calls } = message;
  return {
    ...message,
    content: guard(message.content),
    ...(reasoning === undefined ? {} : { reasoning_content: guard(reasoning) }),
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => ({ ...call, function: { name: guard(call.function.name), arguments: guard(call.function.arguments) } })) }),
  };
}

function guardedTool(tool: ToolDefinition, guard: (text: string) => string): ToolDefinition {
  const source = tool.source ?? JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters });
  return { ...tool, name: guard(tool.name), source: guard(source) };
}
