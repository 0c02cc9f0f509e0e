import { readFile } from 'node:fs/promises';
import { AgentError, toolDefinitionSchema, type ToolDefinition } from '@turnwright/contracts';
import { parseModelOutput } from '@turnwright/parsing';
import { z } from 'zod';
import type { Application } from '../composition/application.js';
import { readInput } from './read-input.js';
import type { CommandOutput } from './output.js';

export interface ParseOptions {
  readonly toolCallParser: string;
  readonly reasoningParser?: string;
  readonly tools?: string;
  readonly promptOpensReasoning?: boolean;
  readonly cut?: boolean;
  readonly json?: boolean;
}

/** `turnwright parse [FILE]`: what a model wrote, taken apart. */
export async function parseCommand(application: Application, file: string | undefined, options: ParseOptions, output: CommandOutput): Promise<void> {
  const format = application.formats.get(options.toolCallParser);
  const reasoning = application.reasoning.get(options.reasoningParser ?? format.reasoning);
  const tools = options.tools === undefined ? [] : await readTools(options.tools);
  const text = await readInput(file);
  const parsed = parseModelOutput(text, { format, reasoning, tools, fallbacks: application.fallbacks.filter((fallback) => fallback !== format), promptOpensReasoning: options.promptOpensReasoning ?? false, outputEnd: options.cut === true ? 'length' : 'stop' });
  if (options.json === true) {
    output.line(JSON.stringify(parsed, null, 2));
    return;
  }
  for (const item of parsed.items) {
    if (item.kind === 'tool-call') output.line(`call ${item.name} ${item.arguments}`);
    else if (item.text.trim() !== '') output.line(`${item.kind}: ${item.text.trim()}`);
  }
  for (const attempt of parsed.attempts) if (attempt.status !== 'ok' || attempt.notes.length > 0) output.note(`call ${String(attempt.index)} ${attempt.name || '(no name)'}: ${attempt.status}${attempt.notes.length > 0 ? ` (${attempt.notes.join(', ')})` : ''}`);
}

/** A JSON list of tools, as OpenAI (`{type, function}`), as Anthropic (`input_schema`), or plain. throws AgentError `bad-option` */
export async function readTools(path: string): Promise<readonly ToolDefinition[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new AgentError('bad-option', `Tools file ${path}: expected a JSON list of tools, found ${cause instanceof Error ? cause.message : String(cause)}.`, { fields: { path }, cause });
  }
  const wrapped = z.union([z.object({ function: toolDefinitionSchema }).transform((tool) => tool.function), z.looseObject({ name: z.string(), description: z.string().optional(), input_schema: z.record(z.string(), z.unknown()) }).transform(({ name, description, input_schema }) => ({ name, ...(description === undefined ? {} : { description }), parameters: input_schema })), toolDefinitionSchema]);
  const parsed = z.array(wrapped).safeParse(value);
  if (!parsed.success) throw new AgentError('bad-option', `Tools file ${path}: expected a list of tools with a name, found a wrong value at ${parsed.error.issues[0]?.path.join('.') ?? '(top)'}.`, { fields: { path } });
  return parsed.data as readonly ToolDefinition[];
}
