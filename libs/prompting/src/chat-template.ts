import { createHash } from 'node:crypto';
import { AgentError, type ChatTemplate, type TemplateRequest } from '@turnwright/contracts';
import { deriveMessageForm } from './message-probe.js';
import { acceptsArgumentText } from './jinja/argument-text.js';
import { templateGlobals } from './jinja/globals.js';
import { parseTemplate } from './jinja/parser.js';
import { RenderMemo } from './jinja/render-memo.js';
import { compileTemplate, TemplateFault, type RunTemplate } from './jinja/template.js';
import type { Rendering } from './jinja/rendering.js';
import { toJsonValue, type JsonValue } from './json-value.js';
import { textOf } from './python/data-text.js';
import { fromJson, plain } from './python/from-json.js';
import type { Str, Value } from './python/values.js';
import { RequestFault } from './continue-final-message.js';
import type { ServerProfile } from './server-profile.js';
import { MessageValues, requestValues, type ArgumentsAs, type Marking, type MessageForm } from './template-request.js';

export interface TemplateOptions {
  readonly name: string;
  /** The Jinja text. */
  readonly text: string;
  /** Where the text comes from. */
  readonly source: string;
  readonly endOfTurn: string;
  readonly endOfCalls?: string;
  /** What the tokenizer passes besides a request's own variables, such as `bos_token`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Default: what trying shows; as text where the template prints text as it would a mapping, so that every sampled character is kept. */
  readonly argumentsAs?: ArgumentsAs;
  /** What the server's clock showed, as `2026-01-15T12:34:56`; without it a template has no clock. */
  readonly now?: string;
  /** Which program changes the request before; default transformers, which does not. */
  readonly server?: ServerProfile;
}

/** A template that can tell the text of its request from its own, and be run on raw values. */
export interface JinjaChatTemplate extends ChatTemplate {
  render(request: TemplateRequest): string;
  /** The rendering, in which every character of the request is known as such. */
  renderMarked(request: TemplateRequest): Str;
  /** The rendering in segments; those that it has in common with renderings before it with the same memo are the same objects. */
  renderSegments(request: TemplateRequest, marking: Marking, memo: RequestMemo | undefined): Rendering;
  /** Renders variables as they are, for messages that are more than a TemplateMessage can say. */
  renderValues(values: ReadonlyMap<string, JsonValue>): string;
  /** The same, and what the template's `generation` blocks wrote: start and end, in UTF-16 units of the text. */
  renderGenerations(values: ReadonlyMap<string, JsonValue>): { readonly text: string; readonly generations: readonly (readonly [number, number])[] };
}

export function isJinjaChatTemplate(template: ChatTemplate): template is JinjaChatTemplate {
  return 'renderValues' in template;
}

/**
 * A chat template from its text, run as transformers runs it: Jinja's sandbox with Python's values.
 *
 * A template reaches the values that it is given and nothing else: no files, and no clock but the one that it is given.
 * throws AgentError `template-failed` when the text does not parse
 */
export function loadTemplate(options: TemplateOptions): JinjaChatTemplate {
  const { name, text, source, endOfTurn } = options;
  const { compiled, asksForText } = failingAs(name, () => compile(text));
  const { server = 'transformers' } = options;
  const fixed = new Map<string, Value>(templateGlobals(options.now));
  for (const [key, value] of Object.entries(options.variables ?? {})) fixed.set(key, fromJson(toJsonValue(value), plain));
  const run: RunTemplate = (values, memo) => compiled(new Map([...fixed, ...values]), memo);
  const renderAs = (form: MessageForm, request: TemplateRequest, marking: Marking, memo?: RequestMemo): Rendering => failingAs(name, () => run(requestValues(request, { ...form, marking, server }, memo?.messages), memo));
  let known: MessageForm | undefined;
  const form = (): MessageForm => (known ??= { ...deriveMessageForm((tried, messages, tools) => textOf(renderAs(tried, { messages, tools, addGenerationPrompt: false }, 'plain').textAfter(undefined)), asksForText), ...(options.argumentsAs === undefined ? {} : { argumentsAs: options.argumentsAs }) });
  const renderSegments: JinjaChatTemplate['renderSegments'] = (request, marking, memo) => renderAs(form(), request, marking, memo);
  const renderGenerations: JinjaChatTemplate['renderGenerations'] = (values) => {
    const rendering = failingAs(name, () => run(new Map([...values].map(([key, value]) => [key, fromJson(value, plain)]))));
    return { text: textOf(rendering.textAfter(undefined)), generations: rendering.segmentsAfter(undefined).flatMap((segment) => segment.generations) };
  };
  return {
    name,
    source,
    endOfTurn,
    ...(options.endOfCalls === undefined ? {} : { endOfCalls: options.endOfCalls }),
    server,
    text,
    fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 16),
    render: (request) => textOf(renderSegments(request, 'plain', undefined).textAfter(undefined)),
    renderMarked: (request) => renderSegments(request, 'marked', undefined).textAfter(undefined),
    renderSegments,
    renderValues: (values) => renderGenerations(values).text,
    renderGenerations,
  };
}

/** What renderings of one session share; for one template and one marking. */
export class RequestMemo extends RenderMemo {
  readonly messages = new MessageValues();
}

function compile(text: string): { readonly compiled: RunTemplate; readonly asksForText: boolean } {
  return { compiled: compileTemplate(text), asksForText: acceptsArgumentText(parseTemplate(text)) };
}

function failingAs<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof RequestFault) throw new AgentError('template-failed', `Template "${name}": ${cause.message}`, { fields: { name, reason: cause.message }, cause });
    if (!(cause instanceof TemplateFault)) throw cause;
    const { message, reason, type, line, column } = cause;
    throw new AgentError('template-failed', `Template "${name}": ${message}`, { fields: { name, reason, type, line, column }, cause });
  }
}
