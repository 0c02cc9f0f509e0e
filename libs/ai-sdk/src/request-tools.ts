import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ToolDefinition } from '@turnwright/contracts';

/** The tools that the model may call in this request; none when the request forbids calls. */
export function definitionsOf({ tools = [], toolChoice }: LanguageModelV4CallOptions): readonly ToolDefinition[] {
  if (toolChoice?.type === 'none') return [];
  return tools.flatMap((tool) => (tool.type !== 'function' ? [] : [{
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    parameters: tool.inputSchema as Readonly<Record<string, unknown>>,
  }]));
}

/** Ids of the calls that a prompt holds; a new call must not take one of them. */
export function callIdsOf(prompt: LanguageModelV4Prompt): ReadonlySet<string> {
  return new Set(prompt.flatMap((message) => (message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) : [])));
}
