/** A stretch of text between added tokens, or an added token. */
export interface Stretch {
  readonly text: string;
  readonly addedToken: boolean;
}

/** Cuts a text at added tokens, the leftmost first and of these the longest, as the Rust tokenizers do. */
export function createSplitter(addedTokens: readonly string[]): (text: string) => Stretch[] {
  if (addedTokens.length === 0) return (text) => (text === '' ? [] : [{ text, addedToken: false }]);
  const pattern = new RegExp(alternation(addedTokens), 'g');
  return (text) => {
    const stretches: Stretch[] = [];
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      if (match.index > end) stretches.push({ text: text.slice(end, match.index), addedToken: false });
      stretches.push({ text: match[0], addedToken: true });
      end = match.index + match[0].length;
    }
    if (end < text.length) stretches.push({ text: text.slice(end), addedToken: false });
    return stretches;
  };
}

/** A pattern's source that matches any of the texts, longest first. */
export function alternation(texts: readonly string[]): string {
  return [...texts].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
}
