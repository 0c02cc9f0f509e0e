import { AgentError, type ChatTemplate, type TemplateMessage, type ToolDefinition } from '@turnwright/contracts';
import { QUESTION, tryRender } from './template-probe.js';
import type { ArgumentsAs, MessageForm } from './template-request.js';

/** The call of the probes. */
const PROBE_CALL = { name: 'probe_tool', arguments: '{"a": "Kqz"}' };
const called = (id: string, reasoning = '', content = ''): readonly TemplateMessage[] => [
  QUESTION,
  { role: 'assistant', content, reasoning_content: reasoning, tool_calls: [{ id, type: 'function', function: PROBE_CALL }] },
  { role: 'tool', content: 'Result', tool_call_id: id },
];
const TOOLS: readonly ToolDefinition[] = [{ name: 'probe_tool', description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }];
const THOUGHT = 'Wvx';
/** Replies with everything that a reply can have; gpt-oss refuses a call with both text and `thinking`, which is then not its name. */
const REASONED: readonly (readonly TemplateMessage[])[] = [[QUESTION, { role: 'assistant', content: 'Zrq', reasoning_content: THOUGHT }], called('abcdefghi', THOUGHT, 'Zrq').slice(0, 2)];

/** Renders messages in a form, with tools. */
export type RenderAs = (form: MessageForm, messages: readonly TemplateMessage[], tools: readonly ToolDefinition[]) => string;

/** How a template takes what messages have several names or shapes for, found by trying; `asksForText`: it asks whether arguments are a string. */
export function deriveMessageForm(renderAs: RenderAs, asksForText: boolean): MessageForm {
  const shown = (form: Partial<MessageForm>, messages: readonly TemplateMessage[]): string | undefined => unlessFailed(() => renderAs({ argumentsAs: 'mapping', reasoningAs: 'reasoning_content', ...form }, messages, TOOLS));
  const argumentsAs = deriveArgumentsAs((form) => shown({ argumentsAs: form }, called('abcdefghi')), asksForText);
  const reasoningAs = REASONING_NAMES.find((name) => {
    const [answered, called] = REASONED.map((messages) => shown({ argumentsAs, reasoningAs: name }, messages));
    return answered !== undefined && called !== undefined && `${answered}${called}`.includes(THOUGHT);
  });
  return { argumentsAs, reasoningAs: reasoningAs ?? 'reasoning_content' };
}

const REASONING_NAMES = ['reasoning_content', 'reasoning', 'thinking'] as const;

/**
 * As text, which keeps every character that was sampled, where a template asks for it and prints the same as for a mapping; or where it can
 * print nothing else (DeepSeek V3 joins it to strings), or prints a mapping as Python does. Else as a mapping, as servers hand it over.
 */
function deriveArgumentsAs(shown: (form: ArgumentsAs) => string | undefined, asksForText: boolean): ArgumentsAs {
  const [mapping, text] = [shown('mapping'), shown('text')];
  if (mapping === text) return asksForText ? 'text' : 'mapping';
  if (mapping !== undefined && !mapping.includes("{'a'")) return 'mapping';
  return text?.includes(PROBE_CALL.arguments) === true ? 'text' : 'mapping';
}

function unlessFailed(render: () => string): string | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof AgentError && error.code === 'template-failed') return undefined;
    throw error;
  }
}

/** Which ids of calls a template takes: any, or only Mistral's nine letters and digits. */
export function deriveCallIds(template: ChatTemplate): 'any' | 'nine-alphanumerics' {
  const takes = (id: string): boolean => tryRender(template, called(id), { tools: TOOLS }) !== undefined;
  return !takes('call_1') && takes('a1b2c3d4e') ? 'nine-alphanumerics' : 'any';
}

/** A call as a template shows it, from the generation prompt on; undefined when it shows none. */
export interface ShownCall {
  readonly text: string;
  readonly name: string;
  readonly arguments: string;
}

export function showCall(template: ChatTemplate): ShownCall | undefined {
  const [asked, shown] = [tryRender(template, [QUESTION], { tools: TOOLS, addGenerationPrompt: true }), tryRender(template, called('functions.probe_tool:0').slice(0, 2), { tools: TOOLS }) ?? tryRender(template, called('abcdefghi').slice(0, 2), { tools: TOOLS })];
  if (asked === undefined || shown?.includes('Kqz') !== true) return undefined;
  let common = 0;
  while (common < asked.length && asked[common] === shown[common]) common++;
  return { ...PROBE_CALL, text: shown.slice(common) };
}
