import { AgentError, type Tokenizer } from '@turnwright/contracts';
import { loadTemplate } from './chat-template.js';
import { parseJson, type JsonValue } from './json-value.js';

/** What a rendering case names, with the files read: the conversation's raw line, since lexemes and key order matter. */
export interface RenderCase {
  readonly id: string;
  readonly templateText: string;
  readonly conversationLine: string;
  /** The request's `options` as JSON text. */
  readonly options: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export type RenderAnswer = { readonly id: string; readonly text: string } | { readonly id: string; readonly error: { readonly code: string; readonly message: string } };

/** Answers a case of the rendering pack: what apply_chat_template gives for a conversation and its options. */
export function answerRender(request: RenderCase): RenderAnswer {
  try {
    return { id: request.id, text: renderConversation(request) };
  } catch (error) {
    if (!(error instanceof AgentError) && !(error instanceof SyntaxError)) throw error;
    return { id: request.id, error: { code: error instanceof AgentError ? error.code : 'bad-format', message: error.message } };
  }
}

/** Answers a case of the tokens pack: added tokens in the text are structure, none are added. */
export function answerTokens({ id, text }: { readonly id: string; readonly text: string }, tokenizer: Tokenizer): { readonly id: string; readonly ids: readonly number[] } {
  return { id, ids: tokenizer.encode(text) };
}

function renderConversation({ id, templateText, conversationLine, options, variables }: RenderCase): string {
  const [conversation, chosen] = [mapOf(parseJson(conversationLine)), mapOf(parseJson(options))];
  const messages = conversation.get('messages') ?? [];
  if (chosen.has('continue_final_message')) throw new AgentError('unsupported', 'The option continue_final_message is not supported yet.');
  if (!Array.isArray(messages) || messages.length === 0) throw new AgentError('template-failed', 'Cannot apply chat template to an empty conversation. Provide at least one message.');
  const template = loadTemplate({ name: id, text: templateText, source: 'conformance', endOfTurn: '', ...(variables === undefined ? {} : { variables }) });
  return template.renderValues(new Map<string, JsonValue>([['messages', messages], ['tools', conversation.get('tools') ?? null], ['documents', null], ...chosen]));
}

function mapOf(value: JsonValue): ReadonlyMap<string, JsonValue> {
  return value instanceof Map ? (value as ReadonlyMap<string, JsonValue>) : new Map();
}
