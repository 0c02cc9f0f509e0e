import { alternation } from './added-tokens.js';

/**
 * The added tokens that are structure wherever the template writes them, and text where somebody typed them.
 *
 * The others are spelling: runs of white space, single characters, and the HTML tags of Gemma's vocabulary, which its template
 * never writes and which every text that has them is encoded with.
 */
export function controlTokens(addedTokens: readonly string[], special: ReadonlySet<string> | undefined, templateText: string): ReadonlySet<string> {
  return new Set(addedTokens.filter((token) => token.trim() !== '' && [...token].length > 1 && (special === undefined || special.has(token) || !HTML_TAG.test(token) || templateText.includes(token))));
}

const HTML_TAG = /^<\/?[a-z][a-z0-9]*>$/;

/** Finds text that would be a control token if it were structure. */
export function createControlTextTest(control: ReadonlySet<string>): (text: string) => boolean {
  if (control.size === 0) return () => false;
  const pattern = new RegExp(alternation([...control]));
  return (text) => pattern.test(text);
}
