import type { ParsedModelOutput, Piece } from '@turnwright/contracts';
import type { OutputEnd } from './calls/attempt.js';
import { OutputCollector } from './stages/output-collector.js';
import { OutputParser, type ParserOptions } from './stages/output-parser.js';

/**
 * Reads a whole output: feed once, then finish; there is no second path for batches.
 *
 * source  slime #1960 parsing.py gives {reasoning, text, tool_uses}; those fields have its meaning
 */
export function parseModelOutput(output: string | readonly (string | Piece)[], options: ParserOptions & { readonly outputEnd?: OutputEnd } = {}): ParsedModelOutput {
  const parser = new OutputParser(options);
  const collector = new OutputCollector();
  const pieces = typeof output === 'string' ? [output] : output;
  for (const piece of pieces) collector.take(parser.feed(piece));
  collector.take(parser.finish(options.outputEnd ?? 'stop'));
  return collector.result(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''));
}
