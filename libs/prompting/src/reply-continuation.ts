import { commonBeginning, type Rendering } from './jinja/rendering.js';
import { concatenate, cut, DataText, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';

/** A prompt rendered with a generation prompt, and again with the reply. */
export interface Renderings {
  readonly prompt: Rendering;
  readonly whole: Rendering;
  /** The prompt without a generation prompt; asked for only where the other two do not meet. */
  readonly bare: () => Rendering;
  readonly reasoning: string;
}

/**
 * What the reply adds to the prompt; undefined when the template renders the history, or the beginning of the reply, in another way.
 *
 * Some templates (QwQ, DeepSeek R1) open the reasoning in the prompt and never show it again: the reply is then the reasoning, its
 * closer and what is shown.
 */
export function replyContinuation({ prompt, whole, bare, reasoning }: Renderings): Str | undefined {
  const plain = continuation(prompt, whole);
  if (plain !== undefined) return plain;
  const before = bare();
  const [opening, shown] = [continuation(before, prompt), continuation(before, whole)];
  if (opening === undefined || shown === undefined) return undefined;
  const [opened, header] = splitOpener(textOf(opening));
  if (opened === '' || !textOf(shown).startsWith(header)) return undefined;
  const rest = cut(shown, header.length, textOf(shown).length);
  return concatenate(reasoning === '' ? '' : new DataText(reasoning), closerOf(opened), rest);
}

const OPENER = /<([a-zA-Z_:]+)>\n?$/;

/** The reasoning's opener at the end of a generation prompt, and what stands before it. */
function splitOpener(opening: string): readonly [opened: string, header: string] {
  const found = OPENER.exec(opening);
  return found === null ? ['', opening] : [found[0], opening.slice(0, found.index)];
}

/** What such models write: the closer on a line of its own where the opener has one, and an empty line. */
function closerOf(opened: string): string {
  return `${opened.endsWith('\n') ? '\n' : ''}</${OPENER.exec(opened)?.[1] ?? ''}>\n\n`;
}

/** What `whole` has after `beginning`; undefined when it begins otherwise. Segments that both have are not looked at. */
function continuation(beginning: Rendering, whole: Rendering): Str | undefined {
  const shared = commonBeginning(beginning, whole);
  const [expected, rest] = [beginning.textAfter(shared), whole.textAfter(shared)];
  return textOf(rest).startsWith(textOf(expected)) ? cut(rest, textOf(expected).length, textOf(rest).length) : undefined;
}
