import type { Tokenizer } from '@turnwright/contracts';

const found = new WeakMap<Tokenizer, readonly string[]>();

/** The texts of a tokenizer's added tokens; one that does not name them is asked id by id, once. */
export function knownAddedTokens(tokenizer: Tokenizer): readonly string[] {
  if (tokenizer.addedTokens !== undefined) return tokenizer.addedTokens;
  const known = found.get(tokenizer) ?? Array.from({ length: tokenizer.vocabularySize }, (_, id) => tokenizer.decode([id])).filter((text, id) => text !== '' && tokenizer.addedTokenId(text) === id);
  found.set(tokenizer, known);
  return known;
}
