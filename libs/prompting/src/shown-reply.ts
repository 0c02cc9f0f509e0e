import type { TemplateMessage, ToolDefinition } from '@turnwright/contracts';
import type { Rendering } from './jinja/rendering.js';
import type { RenderRequest } from './marked-template.js';
import { cut, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';
import { replyContinuation } from './reply-continuation.js';

/** Private-use characters, which no template strips or looks for; they meet no content. */
export const CONTENT_MARK = '\ue000';
export const REASONING_MARK = '\ue001';

const QUESTION: TemplateMessage = { role: 'user', content: 'Question' };

/** A reply of placeholders as the template shows it behind a question. */
export interface ShownReply {
  readonly text: Str;
  /** False when the generation prompt does not lead to it: it then begins at its first placeholder, and markers before that are unknown. */
  readonly continues: boolean;
}

interface RenderingOptions {
  readonly render: RenderRequest;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tools: readonly ToolDefinition[] | undefined;
}

/** Undefined when the reply can be found in no way. */
export function showReply(reply: TemplateMessage, rendering: RenderingOptions): ShownReply | undefined {
  const { render, variables, tools } = rendering;
  const request = (messages: readonly TemplateMessage[], addGenerationPrompt: boolean): Rendering => render({ messages, addGenerationPrompt, variables, ...(tools === undefined || tools.length === 0 ? {} : { tools }) });
  const whole = request([QUESTION, reply], false);
  const continued = replyContinuation({ prompt: request([QUESTION], true), whole, bare: () => request([QUESTION], false), reasoning: reply.reasoning_content ?? '' });
  if (continued !== undefined) return { text: continued, continues: true };
  const marked = behindHeader(whole.textAfter(undefined), 0);
  if (marked !== undefined || reply.content !== '') return marked;
  // Calls alone have no placeholder before them: one is put there, and left out.
  return behindHeader(request([QUESTION, { ...reply, content: CONTENT_MARK }], false).textAfter(undefined), CONTENT_MARK.length);
}

/** From the first placeholder on, or from behind it. */
function behindHeader(whole: Str, skipped: number): ShownReply | undefined {
  const text = textOf(whole);
  const start = [REASONING_MARK, CONTENT_MARK].map((mark) => text.indexOf(mark)).find((at) => at >= 0);
  return start === undefined ? undefined : { text: cut(whole, start + skipped, text.length), continues: false };
}
