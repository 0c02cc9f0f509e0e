import { AgentError, type ChatTemplate, type MessagePart, type TemplateMessage } from '@turnwright/contracts';
import type { ReplyMarkup } from './reply-layout.js';
import { Rendering } from './jinja/rendering.js';
import { textOf } from './python/data-text.js';
import { onFirstUse } from './once.js';
import { replyContinuation } from './reply-continuation.js';
import { assistantMessage } from './template-messages.js';

/** The markup of replies, which the template itself tells: replies of placeholders are rendered after a question. */
export function createReplyMarkup(template: ChatTemplate, variables: Readonly<Record<string, unknown>>): ReplyMarkup {
  const render = (messages: readonly TemplateMessage[], addGenerationPrompt: boolean): Rendering => Rendering.of(template.render({ messages, addGenerationPrompt, variables }));
  const [asked, bare] = [true, false].map((addGenerationPrompt) => onFirstUse(() => render([QUESTION], addGenerationPrompt))) as [() => Rendering, () => Rendering];
  const replyTo = (reply: TemplateMessage): string => {
    const found = replyContinuation({ prompt: asked(), whole: render([QUESTION, reply], false), bare, reasoning: reply.reasoning_content ?? '' });
    return found === undefined ? '' : textOf(found);
  };
  const { endOfCalls = template.endOfTurn } = template;
  const preamble = before(replyTo({ role: 'assistant', content: CONTENT, reasoning_content: '' }), CONTENT);
  const reasoned = replyTo({ role: 'assistant', content: CONTENT, reasoning_content: REASONING });
  return {
    preamble,
    reasoningOpen: before(reasoned, REASONING),
    reasoningClose: between(reasoned, REASONING, CONTENT),
    endOfTurn: template.endOfTurn,
    endOfCalls,
    call: remembered((part) => callText(replyTo(assistantMessage([part])), preamble, endOfCalls)),
    calls: (parts) => unlessFailed(() => callText(replyTo(assistantMessage(parts)), preamble, endOfCalls)),
  };
}

const QUESTION: TemplateMessage = { role: 'user', content: 'Question' };
/** Private-use characters, which no template strips or looks for; they meet no content. */
const CONTENT = '\ue000';
const REASONING = '\ue001';

function before(text: string, mark: string): string {
  return text.slice(0, Math.max(text.indexOf(mark), 0));
}

function between(text: string, first: string, second: string): string {
  const start = text.indexOf(first) + first.length;
  return text.slice(start, Math.max(text.indexOf(second), start));
}

/** The reply without what the template writes before and after its call; white space there is a gap, not the call. */
function callText(reply: string, preamble: string, endOfTurn: string): string | undefined {
  const end = reply.lastIndexOf(endOfTurn);
  return reply.startsWith(preamble) && end >= preamble.length ? reply.slice(preamble.length, end).trim() : undefined;
}

type CallPart = MessagePart & { readonly kind: 'tool-call' };

/** A call that the template cannot print has no text. */
function remembered(callOf: (part: CallPart) => string | undefined): (part: CallPart) => string | undefined {
  const known = new WeakMap<CallPart, { readonly text: string | undefined }>();
  return (part) => {
    const entry = known.get(part) ?? { text: unlessFailed(() => callOf(part)) };
    known.set(part, entry);
    return entry.text;
  };
}

function unlessFailed(action: () => string | undefined): string | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof AgentError && error.code === 'template-failed') return undefined;
    throw error;
  }
}
