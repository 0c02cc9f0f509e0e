import { AgentError, type ChatTemplate, type TemplateMessage } from '@turnwright/contracts';
import { QUESTION, tryRender } from './template-probe.js';
import type { ArgumentsAs } from './template-request.js';

const called = (id: string): readonly TemplateMessage[] => [
  QUESTION,
  { role: 'assistant', content: '', reasoning_content: '', tool_calls: [{ id, type: 'function', function: { name: 'probe_tool', arguments: '{"a": "b"}' } }] },
  { role: 'tool', content: 'Result', tool_call_id: id },
];
const PROBE_TOOLS = [{ name: 'probe_tool', description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }];

/**
 * How a template takes a call's arguments, by trying: as a mapping, unless it can print only text (DeepSeek V3 joins them to strings) or
 * prints a mapping as Python does.
 */
export function deriveArgumentForm(renderAs: (form: ArgumentsAs, messages: readonly TemplateMessage[], tools: typeof PROBE_TOOLS) => string): ArgumentsAs {
  const shown = (form: ArgumentsAs): string | undefined => {
    try {
      return renderAs(form, called('abcdefghi'), PROBE_TOOLS);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'template-failed') return undefined;
      throw error;
    }
  };
  const mapping = shown('mapping');
  if (mapping !== undefined && !mapping.includes("{'a'")) return 'mapping';
  return shown('text')?.includes('{"a": "b"}') === true ? 'text' : 'mapping';
}

/** Which ids of calls a template takes: any, or only Mistral's nine letters and digits. */
export function deriveCallIds(template: ChatTemplate): 'any' | 'nine-alphanumerics' {
  const takes = (id: string): boolean => tryRender(template, called(id), { tools: PROBE_TOOLS }) !== undefined;
  return !takes('call_1') && takes('a1b2c3d4e') ? 'nine-alphanumerics' : 'any';
}
