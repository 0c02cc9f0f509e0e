import { AgentError, type TemplateMessage, type ToolDefinition } from '@turnwright/contracts';
import { loadTemplate, type JinjaChatTemplate, type TemplateOptions } from './chat-template.js';
import { toJsonValue } from './json-value.js';
import { deriveEndInHistory, deriveEndOfTurn, generationPrompt, QUESTION, tryRender } from './template-probe.js';

/** Whether the prompt of the next call begins with the prompt and the reply of this one; `refused` when it cannot be rendered. */
export type Extension = 'extends' | 'breaks' | 'refused';

/** What a template does with a conversation, found by rendering conversations. */
export interface TemplateReport {
  readonly name: string;
  /** After a tool's result, and after a new question. */
  readonly afterResult: Extension;
  readonly afterQuestion: Extension;
  /** The same for replies with reasoning. */
  readonly reasoningAfterResult: Extension;
  readonly reasoningAfterQuestion: Extension;
  /** What breaks the extension, in words. */
  readonly causes: readonly string[];
  readonly generationPrompt: string | undefined;
  readonly endOfTurn: string | undefined;
  /** Whether it stands after a last reply too; where not, the model's stop token is no part of what the template renders. */
  readonly endsLastReply: boolean;
  /** In which field of a message the template looks for reasoning that it shows; undefined when it shows none. */
  readonly reasoningField: string | undefined;
  /** What the template writes between the end of turn and the next message. */
  readonly afterEndOfTurn: string | undefined;
  readonly toolsShown: boolean;
  /** Whether `generation` blocks tell what was generated. */
  readonly masks: boolean;
}

/** Looks at a template. throws AgentError `template-failed` when its text does not parse */
export function checkTemplate(options: TemplateOptions): TemplateReport {
  const template = loadTemplate({ now: '2026-01-15T12:34:56', ...options });
  const endOfLast = deriveEndOfTurn(template);
  const endOfTurn = endOfLast ?? deriveEndInHistory(template);
  const end = endOfTurn ?? options.endOfTurn;
  const extension = (reply: TemplateMessage, next: readonly TemplateMessage[]): Extension => continues(template, reply, next, { endOfTurn: end });
  /** With tools in the request too, which some templates write before the last question. */
  const withTools = (reply: TemplateMessage, next: readonly TemplateMessage[]): Extension => unlessBroken(extension(reply, next), continues(template, reply, next, { endOfTurn: end, tools: TOOLS }));
  const reasonedCall = { ...CALL, reasoning_content: REASONING };
  const report = {
    afterResult: withTools(CALL, RESULT),
    afterQuestion: withTools(ANSWER, [NEXT]),
    reasoningAfterResult: extension(reasonedCall, RESULT),
    // Some show the reasoning of calls only, and until the next question.
    reasoningAfterQuestion: unlessBroken(extension({ ...ANSWER, reasoning_content: REASONING }, [NEXT]), extension(reasonedCall, [...RESULT, ANSWER, NEXT])),
  };
  return {
    name: options.name,
    ...report,
    causes: causes(template, options),
    generationPrompt: generationPrompt(template),
    endOfTurn,
    endsLastReply: endOfLast !== undefined,
    reasoningField: reasoningField(template),
    afterEndOfTurn: afterEndOfTurn(template, endOfLast),
    toolsShown: tryRender(template, [QUESTION], { tools: TOOLS })?.includes('probe_tool') === true,
    masks: /\{%-?\s*generation\b/.test(options.text),
  };
}

const REASONING = 'Wvx';
const ANSWER: TemplateMessage = { role: 'assistant', content: 'Zrq' };
const CALL: TemplateMessage = { role: 'assistant', content: '', tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'probe_tool', arguments: '{"a": 1}' } }] };
const RESULT: readonly TemplateMessage[] = [{ role: 'tool', content: 'Result', tool_call_id: 'abcdefghi' }];

/** Another text than the first question's: templates find the last question by comparing (Mistral Small 3.2). */
const NEXT: TemplateMessage = { role: 'user', content: 'Next' };
const TOOLS: readonly ToolDefinition[] = [{ name: 'probe_tool', description: 'd', parameters: { type: 'object', properties: {} } }];

function unlessBroken(found: Extension, other: Extension): Extension {
  return found === 'extends' && other === 'breaks' ? 'breaks' : found;
}

interface Continuing {
  readonly endOfTurn: string;
  readonly tools?: readonly ToolDefinition[];
}

/** The reply as the model leaves it, up to its end of turn, must begin the next prompt. */
function continues(template: JinjaChatTemplate, reply: TemplateMessage, next: readonly TemplateMessage[], { endOfTurn, ...tools }: Continuing): Extension {
  const prompt = tryRender(template, [QUESTION], { addGenerationPrompt: true, ...tools });
  const whole = tryRender(template, [QUESTION, reply], tools);
  const following = tryRender(template, [QUESTION, reply, ...next], { addGenerationPrompt: true, ...tools });
  if (prompt === undefined || whole === undefined || following === undefined) return 'refused';
  const end = endOfTurn === '' ? -1 : whole.lastIndexOf(endOfTurn);
  const sampled = end < prompt.length ? whole : whole.slice(0, end + endOfTurn.length);
  return whole.startsWith(prompt) && following.startsWith(sampled) ? 'extends' : 'breaks';
}

/** The field of a reply whose reasoning the template shows: servers fill one or several of them. */
function reasoningField(template: JinjaChatTemplate): string | undefined {
  const replies = [{ content: 'Zrq' }, { content: '', tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'probe_tool', arguments: { a: 1 } } }] }];
  return ['reasoning_content', 'reasoning', 'thinking'].find((field) => replies.some((reply) => {
    const messages = toJsonValue([QUESTION, { role: 'assistant', ...reply, [field]: REASONING }]);
    try {
      return template.renderValues(new Map([['messages', messages], ['tools', null], ['add_generation_prompt', false]])).includes(REASONING);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'template-failed') return false;
      throw error;
    }
  }));
}

/** What a template does that changes what was already written. */
function causes(template: JinjaChatTemplate, options: TemplateOptions): readonly string[] {
  const found: string[] = [];
  const shows = (messages: readonly TemplateMessage[]): boolean | undefined => tryRender(template, messages)?.includes(REASONING);
  const reasoned = { ...ANSWER, reasoning_content: REASONING };
  const called = { ...CALL, reasoning_content: REASONING };
  if (shows([QUESTION, reasoned]) !== true) {
    if (shows([QUESTION, called]) === true) found.push('shows the reasoning of replies with a call only');
    else if (shows([QUESTION, reasoned]) === false) found.push('never shows reasoning');
  } else {
    if (shows([QUESTION, { ...CALL, reasoning_content: REASONING }, ...RESULT]) === false) found.push('drops reasoning after a tool result');
    if (shows([QUESTION, reasoned, QUESTION]) === false) found.push('drops reasoning of earlier turns after a new question');
  }
  const [prompt, whole] = [tryRender(template, [QUESTION], { addGenerationPrompt: true }), tryRender(template, [QUESTION, ANSWER])];
  if (prompt !== undefined && whole !== undefined && !whole.startsWith(prompt)) found.push('begins a reply in history otherwise than the generation prompt does');
  const [last, earlier] = [whole, tryRender(template, [QUESTION, ANSWER, QUESTION])];
  if (last !== undefined && earlier !== undefined && !earlier.startsWith(last)) found.push('renders a last reply otherwise than an earlier one');
  const [one, two] = [tryRender(template, [QUESTION, CALL, ...RESULT]), tryRender(template, [QUESTION, CALL, ...RESULT, ...RESULT])];
  if (one !== undefined && two !== undefined && !two.startsWith(one)) found.push('regroups tool results');
  if (tryRender(template, [QUESTION, { ...ANSWER, content: ' \n Zrq' }])?.includes(' \n Zrq') === false) found.push('trims content');
  const system: TemplateMessage = { role: 'system', content: 'Sysq' };
  const [first, longer] = [tryRender(template, [system, QUESTION]), tryRender(template, [system, QUESTION, ANSWER, QUESTION])];
  if (first !== undefined && longer !== undefined && first.indexOf('Sysq') !== longer.indexOf('Sysq')) found.push('moves the system prompt');
  const [toolsFirst, toolsLater] = [[QUESTION], [QUESTION, ANSWER, NEXT]].map((messages) => tryRender(template, messages, { tools: TOOLS })?.indexOf('probe_tool'));
  if (toolsFirst !== undefined && toolsLater !== undefined && toolsFirst !== toolsLater) found.push('moves the tools');
  if (tryRender(template, [QUESTION]) !== tryRender(loadTemplate({ ...options, now: '2025-03-04T05:06:07' }), [QUESTION])) found.push('writes the date');
  return found;
}

function afterEndOfTurn(template: JinjaChatTemplate, endOfTurn: string | undefined): string | undefined {
  const [last, longer] = [tryRender(template, [QUESTION, ANSWER]), tryRender(template, [QUESTION, ANSWER, QUESTION])];
  const end = endOfTurn === undefined ? -1 : (last?.lastIndexOf(endOfTurn) ?? -1);
  if (last === undefined || longer === undefined || endOfTurn === undefined || end < 0) return undefined;
  return last.slice(end + endOfTurn.length);
}
