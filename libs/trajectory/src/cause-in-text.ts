import type { BoundaryCause } from '@turnwright/contracts';
import { sameArguments } from './same-arguments.js';
import { sliceSequence, type TokenSequence } from './token-tape.js';

/** Two prompts that part at `position`. */
export interface TextWindow {
  /** What the call's parent held. */
  readonly before: TokenSequence;
  /** What the call was given. */
  readonly after: TokenSequence;
  /** tokens */
  readonly position: number;
  readonly decode: (ids: Int32Array) => string;
}

/** No cause is worth the text of a whole context. */
const MOST_TOKENS = 4096;
const CONTEXT_TOKENS = 512;

/** Why an output, the tokens `[start, end)` of what the parent held, reads otherwise in history. */
export function causeInOutputText({ before, after, position, decode }: TextWindow, start: number, end: number): BoundaryCause {
  const from = Math.max(start, position - MOST_TOKENS / 2);
  const to = Math.min(end, from + MOST_TOKENS);
  const held = decode(sliceSequence(before, from, to));
  const given = decode(sliceSequence(after, from, Math.min(after.length, from + 2 * (to - from) + 64)));
  if (given.startsWith(held)) return 'retokenised-history';
  const answer = withoutThought(held);
  if (answer !== held && squeeze(given).startsWith(squeeze(answer))) return 'template-dropped-reasoning';
  if (squeeze(given).startsWith(squeeze(held))) return 'whitespace';
  return sameArguments(held, given) ? 'argument-reserialisation' : 'harness-rewrite';
}

/** The prompt may have opened the thought, so that only its end stands in the output. */
function withoutThought(text: string): string {
  const end = /<\/think(?:ing)?>|\[\/THINK\]/.exec(text);
  return end === null ? text : text.slice(end.index + end[0].length);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Why context that nobody sampled differs. */
export function causeInPromptText({ before, after, position, decode }: TextWindow, inHeader: boolean): BoundaryCause {
  const from = Math.max(0, position - CONTEXT_TOKENS);
  const held = decode(sliceSequence(before, from, Math.min(before.length, position + CONTEXT_TOKENS)));
  const given = decode(sliceSequence(after, from, Math.min(after.length, position + CONTEXT_TOKENS)));
  const common = commonStart(held, given);
  // The windows end somewhere, so the shorter text need only agree up to where it is cut.
  const shorter = Math.min(held.length, given.length);
  if (common >= shorter - 1) return 'retokenised-history';
  if (startsAlike(squeeze(held), squeeze(given))) return 'whitespace';
  if (!inHeader) return 'harness-rewrite';
  if (inToolList(decode(sliceSequence(after, Math.max(0, position - MOST_TOKENS), position)), held.slice(common), given.slice(common))) return 'tool-schema-change';
  return volatileDifference(held, given, common) ? 'volatile-header' : 'harness-rewrite';
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function startsAlike(a: string, b: string): boolean {
  return commonStart(a, b) >= Math.min(a.length, b.length) - 1;
}

const TOOL_LIST_OPEN = /<tools>|# Tools|<\|?tools?_(?:list|declare)|namespace functions|"parameters"\s*:|"input_schema"\s*:/g;

/** Whether the texts part inside a list of tools, or where one of them begins one. */
function inToolList(before: string, held: string, given: string): boolean {
  const opened = [...before.matchAll(TOOL_LIST_OPEN)].at(-1)?.index;
  if (opened !== undefined && !before.slice(opened).includes('</tools>') && !/<\|im_end\|>|<\|eot_id\|>|<\|end\|>/.test(before.slice(opened))) return true;
  return [held, given].some((text) => /^.{0,40}(?:<tools>|# Tools|namespace functions|"type"\s*:\s*"function")/s.test(text));
}

/** A date, a time, a counter or a hash: short, with a digit, and the text goes on alike behind it. */
function volatileDifference(held: string, given: string, common: number): boolean {
  const [a, b] = [restOfWord(held, common), restOfWord(given, common)];
  const [restA, restB] = [held.slice(common + a.length), given.slice(common + b.length)];
  const sameRest = restA !== '' && restB !== '' && commonStart(restA, restB) >= Math.min(restA.length, restB.length, 24);
  const word = (text: string) => text.length <= 80 && /^[\w\s:.,+/=-]*$/.test(text);
  return sameRest && word(a) && word(b) && /\d/.test(around(held, common, a)) && /\d/.test(around(given, common, b));
}

/** Up to the end of the line, or of what looks like one value. */
function restOfWord(text: string, start: number): string {
  return /^[^\n;"<>|]*/.exec(text.slice(start))?.[0] ?? '';
}

/** The difference with what stands on the line before it: `2026-01-0` and `1`. */
function around(text: string, start: number, difference: string): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start + difference.length);
}
