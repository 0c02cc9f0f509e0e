import { AgentError, type ChatTemplate, type EncodeContext, type PromptNode, type SessionMessage, type TemplateMessage } from '@turnwright/contracts';
import { createGuard, NONCHARACTERS, type Guard } from './guard.js';
import { renderGuarded } from './guarded-template.js';
import { convertMessage, type ConvertedMessage } from './template-messages.js';
import type { TextAnalyser, TextAnalysis } from './text-analysis.js';

export interface Refusal {
  readonly refused: string;
  readonly message: string;
}

/** A call's prompt, and its prompt with the reply, as text. */
export interface RenderedCall {
  readonly prompt: string;
  /** What the reply adds to the prompt. */
  readonly reply: string;
  readonly guard: Guard | undefined;
  readonly flags: readonly string[];
}

export interface RendererOptions {
  readonly template: ChatTemplate;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly controlText: 'text' | 'structure';
  readonly addedTokens: readonly string[];
  readonly analyser: TextAnalyser;
}

/** Renders calls of a session; a message is converted, looked at and guarded once. */
export function createPromptRenderer(options: RendererOptions): (head: PromptNode | undefined, reply: SessionMessage | undefined, context: EncodeContext) => RenderedCall | Refusal {
  const guards = new Map<string, Guard>();
  const converted = new WeakMap<PromptNode, ConvertedMessage>();
  const system = new Map<string, TemplateMessage>();
  const convertNode = (node: PromptNode): ConvertedMessage => {
    const known = converted.get(node) ?? convertMessage(node.message);
    converted.set(node, known);
    return known;
  };
  const systemMessage = (content: string): TemplateMessage => {
    const message = system.get(content) ?? { role: 'system', content };
    system.set(content, message);
    return message;
  };
  const guardAgainst = (sentinel: string): Guard => {
    const guard = guards.get(sentinel) ?? createGuard(options.addedTokens, sentinel);
    guards.set(sentinel, guard);
    return guard;
  };

  return (head, reply, context) => {
    const history = pathOf(head).map(convertNode);
    const prompt = [...(context.systemPrompt === undefined ? [] : [systemMessage(context.systemPrompt)]), ...history.flatMap((entry) => entry.messages)];
    if (!prompt.some((message) => message.role === 'user')) return { refused: 'no-user-message', message: 'The prompt has no user message; the template needs one.' };
    const answer = reply === undefined ? undefined : convertMessage(reply);
    const analyses = [...[...prompt, ...(answer?.messages ?? [])].map((message) => options.analyser.message(message)), ...(context.tools === undefined ? [] : [options.analyser.tools(context.tools)])];
    const controlText = analyses.some((analysis) => analysis.controlText);
    const sentinel = unusedNoncharacter(analyses);
    if (sentinel === undefined) return { refused: 'not-encodable', message: 'The conversation holds every noncharacter from U+FDD0 to U+FDEF, so none can be a sentinel.' };
    const guard = controlText && options.controlText === 'text' ? guardAgainst(sentinel) : undefined;
    const rendered = renderBoth(options, prompt, answer?.messages ?? [], context, guard);
    if ('refused' in rendered) return rendered;
    const flags = [controlText ? 'control-text-in-content' : '', [...history, answer].some((entry) => entry?.mediaOmitted) ? 'media-omitted' : ''].filter((flag) => flag !== '');
    return { ...rendered, guard, flags };
  };
}

function pathOf(head: PromptNode | undefined): PromptNode[] {
  const nodes = new Array<PromptNode>(head?.depth ?? 0);
  for (let node = head; node !== undefined; node = node.parent) nodes[node.depth - 1] = node;
  return nodes;
}

function unusedNoncharacter(analyses: readonly TextAnalysis[]): string | undefined {
  const used = new Set(analyses.filter((analysis) => analysis.noncharacters.size > 0).flatMap((analysis) => [...analysis.noncharacters]));
  return NONCHARACTERS.find((character) => !used.has(character));
}

function renderBoth({ template, variables }: RendererOptions, prompt: readonly TemplateMessage[], answer: readonly TemplateMessage[], context: EncodeContext, guard: Guard | undefined): { readonly prompt: string; readonly reply: string } | Refusal {
  const tools = context.tools === undefined || context.tools.length === 0 ? {} : { tools: context.tools };
  const render = (messages: readonly TemplateMessage[], addGenerationPrompt: boolean): string => {
    const request = { messages, addGenerationPrompt, variables, ...tools };
    const text = renderGuarded(template, request, guard);
    if (guard !== undefined && guard.remove(text) !== template.render(request)) throw new GuardChangedRendering();
    return text;
  };
  try {
    const promptText = render(prompt, true);
    if (answer.length === 0) return { prompt: promptText, reply: '' };
    const whole = render([...prompt, ...answer], false);
    if (!whole.startsWith(promptText)) return { refused: 'render-mismatch', message: 'The rendering with the reply does not continue the prompt: the template renders the history, or the beginning of this reply, in another way.' };
    return { prompt: promptText, reply: whole.slice(promptText.length) };
  } catch (error) {
    if (error instanceof GuardChangedRendering) return { refused: 'render-mismatch', message: 'The template decides by control-token text in the content, so that it cannot be kept apart.' };
    if (error instanceof AgentError && error.code === 'template-failed') return { refused: 'render-failed', message: error.message };
    throw error;
  }
}

class GuardChangedRendering extends Error {}
