import { AgentError, type ChatTemplate, type EncodeContext, type PromptNode, type SessionMessage, type TemplateMessage } from '@turnwright/contracts';
import { createGuard, NONCHARACTERS, type Guard } from './guard.js';
import { renderGuarded } from './guarded-template.js';
import { createHistories, historyMessages, joinAnalyses } from './prompt-history.js';
import { convertMessage } from './template-messages.js';
import type { TextAnalyser } from './text-analysis.js';

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
  const { analyser } = options;
  const guards = new Map<string, Guard>();
  const historyOf = createHistories(analyser);
  const systemMessages = new Map<string, TemplateMessage>();
  const systemMessage = (content: string): TemplateMessage => {
    const message = systemMessages.get(content) ?? { role: 'system', content };
    systemMessages.set(content, message);
    return message;
  };
  const guardAgainst = (sentinel: string): Guard => {
    const guard = guards.get(sentinel) ?? createGuard(options.addedTokens, sentinel);
    guards.set(sentinel, guard);
    return guard;
  };

  return (head, reply, context) => {
    const history = historyOf(head);
    if (history?.asks !== true) return { refused: 'no-user-message', message: 'The prompt has no user message; the template needs one.' };
    const system = context.systemPrompt === undefined ? [] : [systemMessage(context.systemPrompt)];
    const answer = reply === undefined ? undefined : convertMessage(reply);
    const { controlText, noncharacters } = joinAnalyses([
      history.analysis,
      ...[...system, ...(answer?.messages ?? [])].map((message) => analyser.message(message)),
      ...(context.tools === undefined ? [] : [analyser.tools(context.tools)]),
    ]);
    const sentinel = NONCHARACTERS.find((character) => !noncharacters.has(character));
    if (sentinel === undefined) return { refused: 'not-encodable', message: 'The conversation holds every noncharacter from U+FDD0 to U+FDEF, so none can be a sentinel.' };
    const guard = controlText && options.controlText === 'text' ? guardAgainst(sentinel) : undefined;
    const rendered = renderBoth(options, [...system, ...historyMessages(history)], answer?.messages ?? [], context, guard);
    if ('refused' in rendered) return rendered;
    const flags = [controlText ? 'control-text-in-content' : '', history.mediaOmitted || answer?.mediaOmitted === true ? 'media-omitted' : ''].filter((flag) => flag !== '');
    return { ...rendered, guard, flags };
  };
}

function renderBoth({ template, variables }: RendererOptions, prompt: readonly TemplateMessage[], answer: readonly TemplateMessage[], context: EncodeContext, guard: Guard | undefined): { readonly prompt: string; readonly reply: string } | Refusal {
  const tools = context.tools === undefined || context.tools.length === 0 ? {} : { tools: context.tools };
  const render = (messages: readonly TemplateMessage[], addGenerationPrompt: boolean): string => {
    const request = { messages, addGenerationPrompt, variables, ...tools };
    const text = renderGuarded(template, request, guard);
    if (guard !== undefined && guard.remove(text) !== template.render(request)) throw new GuardChangedRendering();
    return text;
  };
  return orRenderFailure(() => {
    const promptText = render(prompt, true);
    if (answer.length === 0) return { prompt: promptText, reply: '' };
    const whole = render([...prompt, ...answer], false);
    if (!whole.startsWith(promptText)) return { refused: 'render-mismatch', message: 'The rendering with the reply does not continue the prompt: the template renders the history, or the beginning of this reply, in another way.' };
    return { prompt: promptText, reply: whole.slice(promptText.length) };
  });
}

class GuardChangedRendering extends Error {}

/** A template that fails refuses one call; it is no fault of the environment. */
export function orRenderFailure<T>(action: () => T): T | Refusal {
  try {
    return action();
  } catch (error) {
    if (error instanceof GuardChangedRendering) return { refused: 'render-mismatch', message: 'The template decides by control-token text in the content, so that it cannot be kept apart.' };
    if (error instanceof AgentError && error.code === 'template-failed') return { refused: 'render-failed', message: error.message };
    throw error;
  }
}
