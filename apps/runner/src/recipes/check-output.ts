import type { ModelCall, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { parseModelOutput, readJson } from '@turnwright/parsing';

/** The parsers that a server would run on the output. */
export interface OutputCheck {
  readonly format: ToolFormat;
  readonly reasoning: ReasoningFormat;
  readonly fallbacks: readonly ToolFormat[];
}

/**
 * Reads the output as the server would and compares the calls with those that were recorded.
 *
 * A difference costs no training signal; it is flagged, since an agent on that server would have acted otherwise.
 */
export function checkOutput(call: ModelCall, outputText: string, check: OutputCheck | undefined): readonly string[] {
  if (check === undefined) return [];
  const recorded = call.sampled.flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
  const read = parseModelOutput(outputText, { ...check, tools: recorded.map(({ name }) => ({ name })) }).toolUses;
  const same = read.length === recorded.length && recorded.every((part, index) => part.name === read[index]?.name && sameValue(part.arguments, read[index].input));
  return same ? [] : ['parse-differs'];
}

function sameValue(a: string, b: string): boolean {
  return a === b || (readJson(a)?.json ?? a) === (readJson(b)?.json ?? b);
}
