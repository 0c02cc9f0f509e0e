import { crossSpace, lookLiteral, type Look } from '../source/scan.js';
import type { Source } from '../source/source.js';
import type { ReadingContext } from './attempt.js';
import type { CallGrammar } from './call-grammar.js';
import { declaredNameIn } from './call-id.js';
import { lookCall } from './frame-reader.js';

/** How far the text behind an opener that no call follows is searched for the block's closer; beyond, the opener is text. */
const BROKEN_BLOCK_MAX = 4096;
/** White space behind an opener at most; behind more the opener begins nothing, since nothing is consumed until a call begins. */
export const OPENING_SPACE_MAX = 1024;
/** No marker is longer. */
const MARKER_MAX = 128;

/** An opener, and what may follow it. */
export interface BlockStart {
  /** Grammars whose call may stand in the block, the chosen format's own first. */
  readonly candidates: readonly BlockCandidate[];
  /** Length of the block's opener at the cursor; 0 when a call itself begins there. */
  readonly openerLength: number;
  /** Only calls of declared tools count. */
  readonly declaredOnly: boolean;
}

export interface BlockCandidate {
  readonly grammar: CallGrammar;
  /** Set for a grammar of the fallback: only declared tools, and only whole calls. */
  readonly fallback: boolean;
}

/** The first candidate whose call begins at the cursor, and may. One that may still match keeps the later ones from matching less. */
export function chooseCandidate(context: ReadingContext, candidates: readonly BlockCandidate[], block: BlockStart): BlockCandidate | Look {
  let begun: BlockCandidate | undefined;
  for (const candidate of candidates) {
    const look = lookCall(candidate.grammar, context);
    if (look === 'more') return 'more';
    if (look !== 'yes') continue;
    const whole = block.declaredOnly ? lookDeclared(context, candidate.grammar) : lookWhole(context, candidate.grammar, block);
    if (whole === 'yes') return candidate;
    if (whole === 'more') return 'more';
    if (block.openerLength > 0) begun ??= candidate;
  }
  return begun ?? 'no';
}

/** Of several frames that begin alike, the one whose whole head stands there. */
function lookWhole({ source, strict }: ReadingContext, grammar: CallGrammar, block: BlockStart): Look {
  const alone = block.candidates.length === 1 && block.openerLength > 0;
  if (alone || grammar.head.isEmpty) return 'yes';
  const match = grammar.head.match(source, source.position, strict);
  if (match === 'more') return 'more';
  return match === 'no' ? 'no' : 'yes';
}

/** Whether the call at the cursor names a declared tool, where its head holds the name. */
function lookDeclared({ source, strict, tools }: ReadingContext, grammar: CallGrammar): Look {
  if (grammar.head.isEmpty) return tools.isEmpty ? 'no' : 'yes';
  const match = grammar.head.match(source, source.position, strict);
  if (typeof match === 'string') return match;
  if (grammar.codec.kind === 'json-call') return tools.isEmpty ? 'no' : lookObject(source, match.end);
  return tools.has(match.words.name ?? '') ? 'yes' : 'no';
}

function lookObject(source: Source, index: number): Look {
  const at = crossSpace(source, index);
  return at === undefined ? 'more' : source.text.charCodeAt(at) === 123 ? 'yes' : 'no';
}

/**
 * What an opener that no call follows turns out to be: the block of a declared tool's call behind stray text, a broken block when it closes
 * soon, and else text.
 */
export function searchBrokenBlock(context: ReadingContext, block: BlockStart, closers: readonly string[]): { readonly at: number; readonly candidate?: BlockCandidate } | 'more' | 'reject' {
  const { source } = context;
  const from = source.position + block.openerLength;
  const opener = source.text.slice(source.position, from);
  // Only so much is looked at, or many openers in a row would each look through all that follows.
  const near = source.text.slice(0, from + BROKEN_BLOCK_MAX + MARKER_MAX);
  const late = findLateCall(context, block.candidates, [opener, ...closers], near, from);
  if (late !== undefined) return late;
  const nextOpener = near.indexOf(opener, from);
  const at = firstOf(near, closers, from);
  // A closer may be the beginning of the next opener, as ``` is of ```json.
  if (at >= 0 && nextOpener < 0 && lookLiteral(source, at, opener) === 'more') return 'more';
  if (at >= 0 && at - from <= BROKEN_BLOCK_MAX && (nextOpener < 0 || at < nextOpener)) return { at };
  return source.final || at >= 0 || nextOpener >= 0 || closers.length === 0 || source.text.length - from > BROKEN_BLOCK_MAX ? 'reject' : 'more';
}

/** A declared tool's call behind stray text in its block (vLLM #28543); `ends` are texts behind which it is not looked for. */
function findLateCall({ source, strict, tools }: ReadingContext, candidates: readonly BlockCandidate[], ends: readonly string[], near: string, from: number): { readonly candidate: BlockCandidate; readonly at: number } | 'more' | undefined {
  const closed = firstOf(near, ends, from);
  const before = closed < 0 ? near : near.slice(0, closed + MARKER_MAX);
  for (const candidate of candidates) {
    const { head } = candidate.grammar;
    const at = head.first === '' || candidate.fallback || strict ? -1 : before.indexOf(head.first, from);
    if (at < 0 || at - from > BROKEN_BLOCK_MAX || (closed >= 0 && closed < at)) continue;
    const match = head.match(source, at, strict);
    if (match === 'more') return source.final ? undefined : 'more';
    const name = match === 'no' ? '' : match.words.name ?? declaredNameIn(match.words['call-id'] ?? '', candidate.grammar.format, tools) ?? '';
    if (tools.has(name)) return { candidate, at };
  }
  return undefined;
}

/** In a list, a call behind a comma is a call of its own however the one before it broke. */
export function lookRestart({ source, strict, tools }: ReadingContext, grammar: CallGrammar, index: number): Look {
  if (grammar.codec.kind !== 'python-arguments') return lookLiteral(source, index, '{"');
  if (!/[\p{L}_]/u.test(source.text.charAt(index))) return 'no';
  const match = grammar.head.match(source, index, strict);
  if (typeof match === 'string') return match;
  return tools.has(match.words.name ?? '') ? 'yes' : 'no';
}

/** What a value that is no call can begin with. */
export const SCALAR_START = /["\d\-tfn]/;

/** Calls that are values, of JSON or Python, can stand in a list. */
export function takesList({ codec, head }: CallGrammar): boolean {
  return (codec.kind === 'json-call' && head.isEmpty) || codec.kind === 'python-arguments';
}

function firstOf(text: string, literals: readonly string[], from: number): number {
  let first = -1;
  let near = text;
  for (const literal of literals) {
    const at = near.indexOf(literal, from);
    if (at < 0 || (first >= 0 && at >= first)) continue;
    first = at;
    // Only what stands before it can come first.
    near = near.slice(0, at + MARKER_MAX);
  }
  return first;
}
