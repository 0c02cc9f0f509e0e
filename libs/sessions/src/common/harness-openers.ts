import type { Author } from '@turnwright/contracts';

/** The author of a text that stands in a user message: the harness when it begins with one of its own markers. */
export function authorOf(text: string, openers: readonly string[], fallback: Author = 'user'): Author {
  const start = text.trimStart();
  return openers.some((opener) => start.startsWith(opener)) ? 'harness' : fallback;
}
