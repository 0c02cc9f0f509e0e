import { AgentError, type Tokenizer } from '@turnwright/contracts';
import { loadTemplate, type JinjaChatTemplate } from './chat-template.js';
import { continueFinalMessage, RequestFault } from './continue-final-message.js';
import { parseJson, type JsonValue } from './json-value.js';

/** What a rendering case names, with the files read: the conversation's raw line, since lexemes and key order matter. */
export interface RenderCase {
  readonly id: string;
  readonly templateText: string;
  readonly conversationLine: string;
  /** The request's `options` as JSON text. */
  readonly options: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** What the server's clock showed. */
  readonly now?: string;
}

export type RenderAnswer = { readonly id: string; readonly text: string } | { readonly id: string; readonly error: { readonly code: string; readonly message: string } };

/** Answers a case of the rendering pack: what apply_chat_template gives for a conversation and its options. */
export function answerRender(request: RenderCase): RenderAnswer {
  try {
    return { id: request.id, text: renderConversation(request).text };
  } catch (error) {
    if (!(error instanceof AgentError || error instanceof RequestFault || error instanceof SyntaxError)) throw error;
    return { id: request.id, error: { code: error instanceof AgentError ? error.code : 'bad-format', message: error.message } };
  }
}

/** Answers a case of the tokens pack: added tokens in the text are structure, none are added. */
export function answerTokens({ id, text }: { readonly id: string; readonly text: string }, tokenizer: Tokenizer): { readonly id: string; readonly ids: readonly number[] } {
  return { id, ids: tokenizer.encode(text) };
}

/** What apply_chat_template gives, and the runs of text that `generation` blocks wrote. */
export function renderConversation(request: RenderCase): ReturnType<JinjaChatTemplate['renderGenerations']> {
  const [conversation, chosen] = [mapOf(parseJson(request.conversationLine)), mapOf(parseJson(request.options))];
  const messages = (conversation.get('messages') ?? []) as readonly JsonValue[];
  if (!Array.isArray(messages) || messages.length === 0) throw new RequestFault('Cannot apply chat template to an empty conversation. Provide at least one message.');
  const { continue_final_message: continues = false, ...rest } = Object.fromEntries(chosen) as Record<string, JsonValue>;
  const continuation = continues === false || continues === null ? undefined : continueFinalMessage(messages, typeof continues === 'string' ? continues : 'content', request.templateText);
  if (continuation !== undefined && rest['add_generation_prompt'] === true) throw new RequestFault('continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead.');
  const rendered = templateOf(request).renderGenerations(new Map<string, JsonValue>([
    ['messages', continuation?.messages ?? messages], ['tools', conversation.get('tools') ?? null], ['documents', null], ['add_generation_prompt', false], ...Object.entries(rest),
  ]));
  return continuation === undefined ? rendered : { ...rendered, text: continuation.cut(rendered.text) };
}

function templateOf({ id, templateText, variables, now }: RenderCase): JinjaChatTemplate {
  return loadTemplate({ name: id, text: templateText, source: 'conformance', endOfTurn: '', ...(variables === undefined ? {} : { variables }), ...(now === undefined ? {} : { now }) });
}

function mapOf(value: JsonValue): ReadonlyMap<string, JsonValue> {
  return value instanceof Map ? (value as ReadonlyMap<string, JsonValue>) : new Map();
}
