import type { ModelCall, Tokenizer } from '@turnwright/contracts';

/**
 * Tokens of a reply that could not be rendered: those of its parts, each on its own.
 *
 * The ledger needs a number for what was lost; it is near what the reply would have had, and nothing is trained on it.
 */
export function countSampledTokens(call: ModelCall, tokenizer: Tokenizer): number {
  if (call.tokens !== undefined) return call.tokens.outputIds.length;
  let count = 0;
  for (const part of call.sampled) {
    if (part.author !== 'sampled') continue;
    const text = part.kind === 'tool-call' ? `${part.name} ${part.arguments}` : part.kind === 'text' || part.kind === 'reasoning' ? part.text : '';
    count += tokenizer.encodePlain(text.toWellFormed()).length;
  }
  return count;
}
