import type { CodeContext } from '../source/code-context.js';
import type { Look } from '../source/scan.js';
import type { Source } from '../source/source.js';

/** How far a line is searched for the backtick that closes an inline code span. */
const INLINE_MAX = 160;

/**
 * Whether the reasoning closer at the cursor is only quoted: it touches a backtick of an inline code span that closes on its line.
 *
 * llama.cpp #27661: "The tag `</think>` ends a block" inside a thought must not end the thought.
 */
export function quotesMarker(source: Source, length: number, code: CodeContext): Look {
  if (!code.inline) return 'no';
  const { text } = source;
  const after = source.position + length;
  for (let i = after; i < after + INLINE_MAX; i++) {
    if (i >= text.length) return source.final ? 'no' : 'more';
    const character = text.charAt(i);
    if (character === '\n') return 'no';
    if (character === '`') return i === after || code.justOpened ? 'yes' : 'no';
  }
  return 'no';
}
