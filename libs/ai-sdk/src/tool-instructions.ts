import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { AgentError, type ToolDefinition, type ToolFormat } from '@turnwright/contracts';
import { writeCalls } from '@turnwright/parsing';
import { exampleArguments } from './example-arguments.js';

export type WriteInstructions = (tools: readonly ToolDefinition[], example: string) => string;

/** System text that offers the tools: their schemas, and a call of the first one as the format writes it. */
export function toolInstructions(format: ToolFormat, tools: readonly ToolDefinition[], params: LanguageModelV4CallOptions, write: WriteInstructions = builtIn): string {
  return [write(tools, exampleCall(format, tools, params)), ...demand(params.toolChoice)].join('\n\n');
}

function builtIn(tools: readonly ToolDefinition[], example: string): string {
  const schemas = tools.map(({ name, description, parameters }) => JSON.stringify({ type: 'function', function: { name, description, parameters } }));
  return [
    'You can call these functions. Each line describes one as JSON, its parameters as a JSON schema:',
    `<tools>\n${schemas.join('\n')}\n</tools>`,
    'To call a function, write the call exactly in this form, with its own name and arguments, and write nothing after your last call:',
    example,
    'The results of your calls come in the next message, in the order of the calls.',
  ].join('\n\n');
}

function exampleCall(format: ToolFormat, tools: readonly ToolDefinition[], { tools: offered = [] }: LanguageModelV4CallOptions): string {
  const [tool] = tools;
  if (tool === undefined) return '';
  const given = offered.find((candidate): candidate is LanguageModelV4FunctionTool => candidate.type === 'function' && candidate.name === tool.name)?.inputExamples?.[0]?.input;
  const written = (json: string): string => writeCalls(format, [{ name: tool.name, arguments: json }], tools);
  try {
    return written(JSON.stringify(given ?? exampleArguments(tool.parameters)));
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'cannot-express') throw error;
    return written('{}');
  }
}

function demand(choice: LanguageModelV4CallOptions['toolChoice']): readonly string[] {
  if (choice?.type === 'required') return ['Your answer must call at least one function.'];
  return choice?.type === 'tool' ? [`Your answer must call the function ${choice.toolName}.`] : [];
}
