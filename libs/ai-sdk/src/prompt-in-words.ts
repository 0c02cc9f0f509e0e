import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt, SharedV4Warning } from '@ai-sdk/provider';
import type { ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { assistantInWords } from './assistant-in-words.js';
import { definitionsOf } from './request-tools.js';
import { resultsInWords } from './results-in-words.js';
import { toolInstructions, type WriteInstructions } from './tool-instructions.js';

export interface PromptFormats {
  readonly format: ToolFormat;
  readonly reasoning?: ReasoningFormat;
  readonly instructions?: WriteInstructions;
}

/** The request without tools: offers, calls and results stand in the prompt as text. Tools that the provider runs stay its own. */
export function promptInWords(params: LanguageModelV4CallOptions, formats: PromptFormats): { readonly params: LanguageModelV4CallOptions; readonly warnings: readonly SharedV4Warning[] } {
  const { tools: offered = [], toolChoice, ...rest } = params;
  const tools = definitionsOf(params);
  const own = offered.filter((tool) => tool.type !== 'function');
  const warnings: SharedV4Warning[] = [];
  const lastUser = params.prompt.findLastIndex(({ role }) => role === 'user');
  const messages = params.prompt.flatMap((message, index): LanguageModelV4Prompt => {
    if (message.role === 'assistant') return assistantInWords(message, { ...formats, tools: definitionsOf({ ...params, toolChoice: { type: 'auto' } }), keepsReasoning: index > lastUser, warn: (text) => warnings.push({ type: 'other', message: text }) });
    return message.role === 'tool' ? resultsInWords(message, params.prompt.slice(0, index)) : [message];
  });
  const instructions = tools.length === 0 ? undefined : toolInstructions(formats.format, tools, params, formats.instructions);
  return {
    params: { ...rest, prompt: instructions === undefined ? messages : withSystemText(messages, instructions), ...(own.length === 0 ? {} : { tools: own, ...(toolChoice?.type === 'none' ? { toolChoice } : {}) }) },
    warnings,
  };
}

/** One system message, for many templates accept no second. */
function withSystemText(messages: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  const [first, ...others] = messages;
  const system: LanguageModelV4Message = first?.role === 'system' ? { ...first, content: first.content === '' ? text : `${first.content}\n\n${text}` } : { role: 'system', content: text };
  return first?.role === 'system' ? [system, ...others] : [system, ...messages];
}
