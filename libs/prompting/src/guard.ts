import { alternation } from './added-tokens.js';

/**
 * Tells an added token's text that stands in content from one that the template wrote.
 *
 * A noncharacter, the sentinel, is put after the first code point of the former, so that it is no added token any more:
 * `<|im_end|>` in a file that the agent read becomes `<` U+FDD0 `|im_end|>` until the text is cut into tokens.
 */
export interface Guard {
  readonly sentinel: string;
  /** Guards a text; a guarded text stays as it is. */
  apply(text: string): string;
  /** Takes the sentinels out again. */
  remove(text: string): string;
}

/** Code points that are never text (Unicode 23.7); one that the conversation has not can be a sentinel. */
export const NONCHARACTERS: readonly string[] = Array.from({ length: 0x20 }, (_, index) => String.fromCharCode(0xfdd0 + index));

export function createGuard(addedTokens: readonly string[], sentinel: string): Guard {
  const pattern = guardedPattern(addedTokens);
  return {
    sentinel,
    apply: (text) => (pattern === undefined ? text : text.replace(pattern, `$&${sentinel}`)),
    remove: (text) => (text.includes(sentinel) ? text.replaceAll(sentinel, '') : text),
  };
}

/** Finds text that would be an added token if it were structure. */
export function createControlTextTest(addedTokens: readonly string[]): (text: string) => boolean {
  const pattern = guardedPattern(addedTokens);
  return (text) => pattern !== undefined && text.search(pattern) >= 0;
}

/** Matches the first code point of each added token, overlapping ones too. White space and single code points as added tokens are no control text. */
function guardedPattern(addedTokens: readonly string[]): RegExp | undefined {
  const control = addedTokens.filter((token) => token.trim() !== '' && [...token].length > 1);
  return control.length === 0 ? undefined : new RegExp(`(?=${alternation(control)}).`, 'gsu');
}
