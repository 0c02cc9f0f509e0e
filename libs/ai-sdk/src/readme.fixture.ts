import { createToolMiddleware } from './index.js';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { defineFormat, frame, jsonCall, special, think } from '@turnwright/parsing';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';

// The formats of all known models are in @turnwright/parsers-json and @turnwright/parsers-xml; this is how one is written.
const hermes = defineFormat({
  name: 'hermes',
  source: 'https://huggingface.co/NousResearch/Hermes-3-Llama-3.1-8B',
  block: { open: special('<tool_call>'), close: special('</tool_call>') },
  call: frame`${jsonCall()}`,
});

const weather = tool({
  description: 'Weather in a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: ({ city }) => `${city}: 3 degrees`,
});

export async function ask(textModel: LanguageModelV4, question: string): Promise<string> {
  const model = wrapLanguageModel({ model: textModel, middleware: createToolMiddleware({ format: hermes, reasoning: think }) });
  const { text } = await generateText({ model, tools: { weather }, stopWhen: isStepCount(5), prompt: question });
  return text;
}
