import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4TextPart, LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';

type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>;

/**
 * Results as a user's message, in the order of their calls: a provider without tools has no role for them.
 *
 * source  https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_hermes.jinja
 */
export function resultsInWords(message: ToolMessage, before: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const ids = before.flatMap((earlier) => (earlier.role === 'assistant' ? earlier.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) : []));
  const results = message.content.filter((part) => part.type === 'tool-result').sort((a, b) => ids.lastIndexOf(a.toolCallId) - ids.lastIndexOf(b.toolCallId));
  const others = message.content.filter((part) => part.type !== 'tool-result');
  const content = results.flatMap((result, index) => resultContent(result, index === 0 ? '' : '\n'));
  return [...(content.length === 0 ? [] : [{ role: 'user' as const, content: joined(content) }]), ...(others.length === 0 ? [] : [{ ...message, content: others }])];
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

function resultContent({ toolName, output }: LanguageModelV4ToolResultPart, separator: string): readonly UserPart[] {
  const text = `${separator}<tool_response>\n${JSON.stringify({ name: toolName, ...outputFields(output) })}\n</tool_response>`;
  return [{ type: 'text', text }, ...filesOf(output)];
}

function outputFields(output: LanguageModelV4ToolResultOutput): Readonly<Record<string, unknown>> {
  switch (output.type) {
    case 'text':
    case 'json': return { content: output.value };
    case 'error-text':
    case 'error-json': return { error: output.value };
    case 'execution-denied': return { error: output.reason ?? 'The user denied this call.' };
    case 'content': return { content: output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') };
  }
}

function filesOf(output: LanguageModelV4ToolResultOutput): readonly UserPart[] {
  return output.type === 'content' ? output.value.flatMap((part): UserPart[] => (part.type === 'file' ? [part] : [])) : [];
}

function joined(parts: readonly UserPart[]): UserPart[] {
  const content: UserPart[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === 'text' && last?.type === 'text') content[content.length - 1] = { ...last, text: last.text + part.text };
    else content.push(part);
  }
  return content;
}
