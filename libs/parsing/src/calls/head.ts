import type { Frame, FrameStep } from '@turnwright/contracts';
import { afterSpace, isSpace, LOOKAHEAD_SPACE } from '../source/scan.js';
import type { Source } from '../source/source.js';

/** A name, key, id or type longer than this, or one that holds a line end or `<`, is none. */
export const WORD_MAX = 256;

/** What a head holds. */
export interface HeadMatch {
  readonly words: Readonly<Partial<Record<'name' | 'key' | 'type' | 'call-id', string>>>;
  /** Index in the window behind the head. */
  readonly end: number;
  /** Written otherwise than the frame says. */
  readonly respelled: boolean;
}

/**
 * The steps of a frame before its body or value, and other spellings of them that models use: `<function bash>` for `<function=bash>`
 * (SGLang #38893), `<invoke name=x>` and `<invoke name='x'>` for `<invoke name="x">`, an attribute left out.
 */
export class Head {
  /** The literal that begins it; empty when a word does. */
  readonly first: string;
  /** Longest text that all spellings begin with. */
  readonly prefix: string;
  readonly isSpecial: boolean;
  /** Literal characters in it: of two heads that match, the heavier one says more. */
  readonly weight: number;
  private readonly spellings: readonly Frame[];

  constructor(steps: Frame) {
    const [first] = steps;
    this.first = first?.kind === 'literal' ? first.text : '';
    this.isSpecial = first?.kind === 'literal' && first.special;
    this.spellings = [steps, ...respell(steps)];
    this.weight = steps.reduce((sum, step) => sum + (step.kind === 'literal' ? step.text.length : 0), 0);
    this.prefix = this.first.replace(/[="']+$/, '');
  }

  get isEmpty(): boolean {
    return this.spellings[0]?.length === 0;
  }

  /** Whether the head's first literal stands at `index`, in any spelling; `more` also when the output ends inside it. */
  lookFirst(source: Source, index: number, strict: boolean): 'yes' | 'no' | 'more' {
    let result: 'no' | 'more' = 'no';
    for (const [first] of strict ? this.spellings.slice(0, 1) : this.spellings) {
      if (first?.kind !== 'literal') continue;
      const look = lookHeadLiteral(source, index, first.text);
      if (look === 'yes') return 'yes';
      if (look === 'more') result = 'more';
    }
    return result;
  }

  /** The whole head at `index`. `more` also when the output ends inside it. */
  match(source: Source, index: number, strict: boolean): HeadMatch | 'more' | 'no' {
    // An earlier spelling that may still match keeps the later ones from matching less.
    for (const [ordinal, steps] of (strict ? this.spellings.slice(0, 1) : this.spellings).entries()) {
      const match = matchSteps(steps, source, index);
      if (match === 'more') return 'more';
      if (match !== 'no') return { ...match, respelled: ordinal > 0 };
    }
    return 'no';
  }
}

function matchSteps(steps: Frame, source: Source, index: number): Omit<HeadMatch, 'respelled'> | 'more' | 'no' {
  const words: Partial<Record<string, string>> = {};
  let at = index;
  for (const [ordinal, step] of steps.entries()) {
    if (step.kind === 'literal') {
      const look = lookHeadLiteral(source, at, step.text);
      if (look !== 'yes') return look;
      at += step.text.length;
    } else if (step.kind === 'space') {
      at = afterSpace(source.text, at, LOOKAHEAD_SPACE);
      if (at === source.text.length) return 'more';
    } else {
      const word = lookWord(source, at, step, steps[ordinal + 1]);
      if (typeof word === 'string') return word;
      if (step.kind !== 'any' && word.text === '') return 'no';
      words[step.kind] = word.text;
      at = word.end;
    }
  }
  return { words, end: at };
}

/** Inside a head the end of the output is a cut, not another text. */
function lookHeadLiteral(source: Source, index: number, literal: string): 'yes' | 'no' | 'more' {
  const { text } = source;
  if (text.startsWith(literal, index)) return 'yes';
  return text.length - index < literal.length && literal.startsWith(text.slice(index)) ? 'more' : 'no';
}

/** Text up to the literal behind it, or to what no word holds. */
function lookWord(source: Source, start: number, step: FrameStep, next: FrameStep | undefined): { readonly text: string; readonly end: number } | 'more' | 'no' {
  const { text } = source;
  const closer = next?.kind === 'literal' ? next.text : undefined;
  let end = start;
  for (; end < text.length && end - start <= WORD_MAX; end++) {
    if (closer !== undefined) {
      if (text.startsWith(closer, end)) return { text: text.slice(start, end).trim(), end };
      if (text.length - end < closer.length && closer.startsWith(text.slice(end))) return 'more';
    }
    if (!mayHold(step.kind, text.charCodeAt(end), closer !== undefined)) break;
  }
  if (end === text.length && end - start <= WORD_MAX) return 'more';
  if (closer !== undefined || end - start > WORD_MAX) return 'no';
  return { text: text.slice(start, end), end };
}

/** What a word may hold: a name no white space, brackets or quotes, a key no line end and no tag, forgotten text anything but a line end. */
function mayHold(kind: FrameStep['kind'], code: number, isDelimited: boolean): boolean {
  if (code === 10) return false;
  if (kind === 'any') return true;
  if (code === 60) return false;
  return (kind === 'key' || kind === 'type') && isDelimited ? true : !isSpace(code) && !NO_NAME.has(code);
}

/** `"'`()[]{},;>` */
const NO_NAME: ReadonlySet<number> = new Set([34, 39, 96, 40, 41, 91, 93, 123, 125, 44, 59, 62]);

function respell(steps: Frame): readonly Frame[] {
  const spelled: Frame[] = [];
  const typed = withoutType(steps);
  if (typed !== undefined) spelled.push(typed);
  const quoted = steps.some((step) => step.kind === 'literal' && step.text.endsWith('="'));
  if (quoted) spelled.push(replaceQuotes(steps, "'"), replaceQuotes(steps, ''));
  const first = steps[0];
  if (first?.kind === 'literal' && first.text.endsWith('=') && steps.length > 1) spelled.push([{ ...first, text: `${first.text.slice(0, -1)} name="` }, ...replaceFirstQuote(steps.slice(1))], [{ ...first, text: `${first.text.slice(0, -1)} ` }, ...steps.slice(1)]);
  return spelled;
}

/** `<function name="x">` for `<function=x>`: what ends the name gets the closing quote. */
function replaceFirstQuote(steps: Frame): Frame {
  return steps.map((step, index) => (index === 1 && step.kind === 'literal' ? { ...step, text: `"${step.text}` } : step));
}

function replaceQuotes(steps: Frame, quote: string): Frame {
  return steps.map((step, index) => {
    if (step.kind !== 'literal') return step;
    const opened = step.text.replace(/="$/, `=${quote}`);
    const follows = steps[index - 1];
    return { ...step, text: follows !== undefined && follows.kind !== 'literal' && follows.kind !== 'space' ? opened.replace(/^"/, quote) : opened };
  });
}

/** The head with its type attribute left out: from the literal before the type only its first character stays, then what follows the type's own quote. */
function withoutType(steps: Frame): Frame | undefined {
  const at = steps.findIndex(({ kind }) => kind === 'type');
  const before = steps[at - 1];
  const after = steps[at + 1];
  if (at < 0 || before?.kind !== 'literal' || after?.kind !== 'literal') return undefined;
  return [...steps.slice(0, at - 1), after, ...steps.slice(at + 2)];
}
