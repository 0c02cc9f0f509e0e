import type { CallToWrite, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { parseModelOutput, readJson } from '@turnwright/parsing';

/** The parsers that a server would run on the output. */
export interface OutputParsers {
  readonly format: ToolFormat;
  readonly reasoning: ReasoningFormat;
  readonly fallbacks: readonly ToolFormat[];
}

/** Whether the parsers read these calls out of an output, and no others. */
export function readsCalls(output: string, calls: readonly CallToWrite[], parsers: OutputParsers): boolean {
  const read = parseModelOutput(output, { ...parsers, tools: calls.map(({ name }) => ({ name })) }).toolUses;
  return read.length === calls.length && calls.every((call, index) => call.name === read[index]?.name && sameValue(call.arguments, read[index].input));
}

function sameValue(a: string, b: string): boolean {
  return a === b || (readJson(a)?.json ?? a) === (readJson(b)?.json ?? b);
}
