import type { TemplateMessage } from '@turnwright/contracts';
import { loadTemplate, type JinjaChatTemplate, type TemplateOptions } from './chat-template.js';
import { deriveEndOfTurn, generationPrompt, QUESTION, tryRender } from './template-probe.js';

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
  /** What the template writes between the end of turn and the next message. */
  readonly afterEndOfTurn: string | undefined;
  readonly toolsShown: boolean;
  /** Whether `generation` blocks tell what was generated. */
  readonly masks: boolean;
}

/** Looks at a template. throws AgentError `template-failed` when its text does not parse */
export function checkTemplate(options: TemplateOptions): TemplateReport {
  const template = loadTemplate({ now: '2026-01-15T12:34:56', ...options });
  const endOfTurn = deriveEndOfTurn(template);
  const extension = (reply: TemplateMessage, next: readonly TemplateMessage[]): Extension => continues(template, reply, next, endOfTurn ?? options.endOfTurn);
  const report = {
    afterResult: extension(CALL, RESULT),
    afterQuestion: extension(ANSWER, [QUESTION]),
    reasoningAfterResult: extension({ ...CALL, reasoning_content: REASONING }, RESULT),
    reasoningAfterQuestion: extension({ ...ANSWER, reasoning_content: REASONING }, [QUESTION]),
  };
  return {
    name: options.name,
    ...report,
    causes: causes(template, options),
    generationPrompt: generationPrompt(template),
    endOfTurn,
    afterEndOfTurn: afterEndOfTurn(template, endOfTurn),
    toolsShown: tryRender(template, [QUESTION], { tools: [{ name: 'probe_tool', description: 'd', parameters: { type: 'object', properties: {} } }] })?.includes('probe_tool') === true,
    masks: /\{%-?\s*generation\b/.test(options.text),
  };
}

const REASONING = 'Wvx';
const ANSWER: TemplateMessage = { role: 'assistant', content: 'Zrq' };
const CALL: TemplateMessage = { role: 'assistant', content: '', tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'probe_tool', arguments: '{"a": 1}' } }] };
const RESULT: readonly TemplateMessage[] = [{ role: 'tool', content: 'Result', tool_call_id: 'abcdefghi' }];

/** The reply as the model leaves it, up to its end of turn, must begin the next prompt. */
function continues(template: JinjaChatTemplate, reply: TemplateMessage, next: readonly TemplateMessage[], endOfTurn: string): Extension {
  const prompt = tryRender(template, [QUESTION], { addGenerationPrompt: true });
  const whole = tryRender(template, [QUESTION, reply]);
  const following = tryRender(template, [QUESTION, reply, ...next], { addGenerationPrompt: true });
  if (prompt === undefined || whole === undefined || following === undefined) return 'refused';
  const end = endOfTurn === '' ? -1 : whole.lastIndexOf(endOfTurn);
  const sampled = end < prompt.length ? whole : whole.slice(0, end + endOfTurn.length);
  return whole.startsWith(prompt) && following.startsWith(sampled) ? 'extends' : 'breaks';
}

/** What a template does that changes what was already written. */
function causes(template: JinjaChatTemplate, options: TemplateOptions): readonly string[] {
  const found: string[] = [];
  const shows = (messages: readonly TemplateMessage[]): boolean | undefined => tryRender(template, messages)?.includes(REASONING);
  const reasoned = { ...ANSWER, reasoning_content: REASONING };
  if (shows([QUESTION, reasoned]) === false) found.push('never shows reasoning');
  else {
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
  if (tryRender(template, [QUESTION]) !== tryRender(loadTemplate({ ...options, now: '2025-03-04T05:06:07' }), [QUESTION])) found.push('writes the date');
  return found;
}

function afterEndOfTurn(template: JinjaChatTemplate, endOfTurn: string | undefined): string | undefined {
  const [last, longer] = [tryRender(template, [QUESTION, ANSWER]), tryRender(template, [QUESTION, ANSWER, QUESTION])];
  const end = endOfTurn === undefined ? -1 : (last?.lastIndexOf(endOfTurn) ?? -1);
  if (last === undefined || longer === undefined || endOfTurn === undefined || end < 0) return undefined;
  return last.slice(end + endOfTurn.length);
}
