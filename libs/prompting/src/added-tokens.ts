import { textOf } from './python/data-text.js';
import type { Str } from './python/values.js';

/** A stretch of text between added tokens, or an added token. */
export interface Stretch {
  readonly text: string;
  readonly addedToken: boolean;
}

/** Cuts a text at added tokens, the leftmost first and of these the longest, as the Rust tokenizers do. */
export type Splitter = (text: Str) => Stretch[];

/** Text of the request is never cut at one of the `control` tokens: who typed `<|im_end|>` did not end a turn. */
export function createSplitter(addedTokens: readonly string[], control: ReadonlySet<string> = new Set()): Splitter {
  if (addedTokens.length === 0) return (text) => (text === '' ? [] : [{ text: textOf(text), addedToken: false }]);
  const pattern = new RegExp(alternation(addedTokens), 'g');
  return (marked) => {
    const text = textOf(marked);
    const typed = createOverlapTest(marked);
    const stretches: Stretch[] = [];
    let end = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const after = match.index + match[0].length;
      if (typed !== undefined && control.has(match[0]) && typed(match.index, after)) {
        pattern.lastIndex = match.index + 1;
        continue;
      }
      if (match.index > end) stretches.push({ text: text.slice(end, match.index), addedToken: false });
      stretches.push({ text: match[0], addedToken: true });
      end = after;
    }
    if (end < text.length) stretches.push({ text: text.slice(end), addedToken: false });
    return stretches;
  };
}

/** Asks whether a range holds characters of the request; ranges are asked for in order. Undefined for a text without any. */
function createOverlapTest(marked: Str): ((start: number, end: number) => boolean) | undefined {
  if (typeof marked === 'string') return undefined;
  const { runs } = marked;
  if (runs === undefined) return () => true;
  let index = 0;
  return (start, end) => {
    while (index < runs.length && (runs[index + 1] ?? 0) <= start) index += 2;
    return index < runs.length && (runs[index] ?? 0) < end;
  };
}

/** A pattern's source that matches any of the texts, longest first. */
export function alternation(texts: readonly string[]): string {
  return [...texts].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
}
