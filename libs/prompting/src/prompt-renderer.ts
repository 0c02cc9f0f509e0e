import { AgentError, type EncodeContext, type PromptNode, type SessionMessage, type TemplateMessage } from '@turnwright/contracts';
import type { Rendering } from './jinja/rendering.js';
import type { RenderRequest } from './marked-template.js';
import { createHistories, createMessageLists, joinAnalyses } from './prompt-history.js';
import type { Str } from './python/values.js';
import { replyContinuation } from './reply-continuation.js';
import { continueList } from './shared-lists.js';
import type { MessageConverter } from './template-messages.js';
import type { TextAnalyser } from './text-analysis.js';

export interface Refusal {
  readonly refused: string;
  readonly message: string;
}

/** A call's prompt, and its prompt with the reply, as text. */
export interface RenderedCall {
  readonly prompt: Rendering;
  /** What the reply adds to the prompt. */
  readonly reply: Str;
  readonly flags: readonly string[];
}

export interface RendererOptions {
  readonly render: RenderRequest;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly analyser: TextAnalyser;
  readonly convert: MessageConverter;
}

/** Renders calls of a session; a message is converted and looked at once. */
export function createPromptRenderer(options: RendererOptions): (head: PromptNode | undefined, reply: SessionMessage | undefined, context: EncodeContext) => RenderedCall | Refusal {
  const { analyser, convert } = options;
  const historyOf = createHistories(analyser, convert);
  const messagesOf = createMessageLists();
  const systemMessages = new Map<string, TemplateMessage>();
  const systemMessage = (content: string): TemplateMessage => {
    const message = systemMessages.get(content) ?? { role: 'system', content };
    systemMessages.set(content, message);
    return message;
  };

  return (head, reply, context) => {
    const history = historyOf(head);
    if (history?.asks !== true) return { refused: 'no-user-message', message: 'The prompt has no user message; the template needs one.' };
    const system: readonly TemplateMessage[] = context.systemPrompt === undefined ? [] : [systemMessage(context.systemPrompt)];
    const answer = reply === undefined ? undefined : convert(reply);
    const { controlText } = joinAnalyses([
      history.analysis,
      ...[...system, ...(answer?.messages ?? [])].map((message) => analyser.message(message)),
      ...(context.tools === undefined ? [] : [analyser.tools(context.tools)]),
    ]);
    const rendered = renderBoth(options, messagesOf(system, history), answer?.messages ?? [], context);
    if ('refused' in rendered) return rendered;
    const flags = [controlText ? 'control-text-in-content' : '', history.mediaOmitted || answer?.mediaOmitted === true ? 'media-omitted' : ''].filter((flag) => flag !== '');
    return { ...rendered, flags };
  };
}

function renderBoth({ render, variables }: RendererOptions, prompt: readonly TemplateMessage[], answer: readonly TemplateMessage[], context: EncodeContext): { readonly prompt: Rendering; readonly reply: Str } | Refusal {
  const tools = context.tools === undefined || context.tools.length === 0 ? {} : { tools: context.tools };
  return orRenderFailure(() => {
    const rendered = render({ messages: prompt, addGenerationPrompt: true, variables, ...tools });
    if (answer.length === 0) return { prompt: rendered, reply: '' };
    const whole = render({ messages: continueList(prompt, prompt.length, answer), addGenerationPrompt: false, variables, ...tools });
    const bare = (): Rendering => render({ messages: prompt, addGenerationPrompt: false, variables, ...tools });
    const reply = replyContinuation({ prompt: rendered, whole, bare, reasoning: answer[0]?.reasoning_content ?? '' });
    if (reply === undefined) return { refused: 'render-mismatch', message: 'The rendering with the reply does not continue the prompt: the template renders the history, or the beginning of this reply, in another way.' };
    return { prompt: rendered, reply };
  });
}

/** A template that fails refuses one call; it is no fault of the environment. */
export function orRenderFailure<T>(action: () => T): T | Refusal {
  try {
    return action();
  } catch (error) {
    if (error instanceof AgentError && error.code === 'template-failed') return { refused: 'render-failed', message: error.message };
    throw error;
  }
}
