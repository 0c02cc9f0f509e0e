import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '@ai-sdk/provider';
import { AgentError, type CallToWrite, type ReasoningFormat, type ToolDefinition, type ToolFormat } from '@turnwright/contracts';
import { writeCalls, writeReasoning } from '@turnwright/parsing';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type AssistantPart = AssistantMessage['content'][number];

export interface AssistantFormats {
  readonly format: ToolFormat;
  readonly reasoning?: ReasoningFormat;
  readonly tools: readonly ToolDefinition[];
  /** Thoughts are shown to the model again while it works on the same question, as the templates of thinking models do. */
  readonly keepsReasoning: boolean;
  readonly warn: (message: string) => void;
}

/** An earlier answer as the model wrote it: calls that stand together are written together. A message left empty is dropped. */
export function assistantInWords(message: AssistantMessage, formats: AssistantFormats): AssistantMessage[] {
  const content: AssistantPart[] = [];
  const addText = (text: string, part?: AssistantPart): void => {
    const last = content.at(-1);
    if (last?.type === 'text') content[content.length - 1] = { ...last, text: /\s$/.test(last.text) ? last.text + text : `${last.text}\n${text}` };
    else content.push(part?.type === 'text' ? { ...part, text } : { type: 'text', text });
  };
  let calls: LanguageModelV4ToolCallPart[] = [];
  const writeHeld = (): void => {
    if (calls.length > 0) addText(callsInWords(calls, formats));
    calls = [];
  };
  for (const part of message.content) {
    if (part.type === 'tool-call' && part.providerExecuted !== true) {
      calls.push(part);
      continue;
    }
    writeHeld();
    if (part.type === 'text') addText(part.text, part);
    else if (part.type !== 'reasoning' || formats.reasoning === undefined) content.push(part);
    else if (formats.keepsReasoning) addText(writeReasoning(formats.reasoning, part.text));
  }
  writeHeld();
  return content.length === 0 ? [] : [{ ...message, content }];
}

/** A conversation must go on, so calls that the format cannot write are told as JSON. */
function callsInWords(parts: readonly LanguageModelV4ToolCallPart[], { format, tools, warn }: AssistantFormats): string {
  const calls = parts.map(callOf);
  try {
    return writeCalls(format, calls, tools);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'cannot-express') throw error;
    warn(`${error.message} It stands in the prompt as JSON.`);
    return calls.map(({ name, arguments: json }) => `Called ${name} with ${json}`).join('\n');
  }
}

/** An id is written only if the model wrote it: one that was made up says nothing in a format whose ids hold the name. */
function callOf({ toolName, input, providerOptions }: LanguageModelV4ToolCallPart): CallToWrite {
  const id = providerOptions?.['turnwright']?.['id'];
  // The SDK keeps the text of an input that it could not read.
  const json = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return { ...(typeof id === 'string' ? { id } : {}), name: toolName, arguments: json };
}
