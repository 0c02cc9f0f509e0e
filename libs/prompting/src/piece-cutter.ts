import type { PreTokenizerStep } from './tokenizers-library.js';

/** Cuts a text into pre-tokens, first to last. */
export type CutPieces = (text: string, take: (piece: string) => void) => void;

export interface CutOptions {
  /** Whether the byte-level step cuts too, with GPT-2's pattern. */
  readonly gpt2: boolean;
  /** A character before which a piece begins wherever another one stands before it. */
  readonly apartBefore: string | undefined;
}

const GPT2 = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

export function pieceCutter(steps: readonly PreTokenizerStep[], { gpt2, apartBefore }: CutOptions): CutPieces {
  const patterns = [...steps.map(patternOf), ...(gpt2 ? [GPT2] : [])];
  const bySteps = (text: string): readonly string[] => {
    const pieces = steps.reduce<readonly string[]>((before, step) => step.pre_tokenize(before), text === '' ? [] : [text]);
    return gpt2 ? pieces.flatMap((piece) => piece.match(GPT2) ?? []) : pieces;
  };
  const [pattern] = patterns;
  const cut: CutPieces = patterns.length !== 1 || pattern === undefined || LOOKS_BACK.test(pattern.source)
    ? (text, take) => bySteps(text).forEach(take)
    : cutBySticky(new RegExp(pattern.source, pattern.flags.replace('g', '') + 'y'), bySteps);
  if (apartBefore === undefined) return cut;
  const apart = new RegExp(`(?<=[^${apartBefore}])(?=${apartBefore})`, 'u');
  return (text, take) => cut(text, (piece) => piece.split(apart).forEach(take));
}

/** The pattern of a step whose matches are the pieces; what is between them is another piece, or lost, which `cutBySticky` leaves to the step. */
function patternOf({ config, pattern }: PreTokenizerStep): RegExp | undefined {
  if (config.type !== 'Split' || pattern === null || pattern === undefined) return undefined;
  const matchesArePieces = config.behavior === 'Isolated' ? config.invert === false : config.behavior === 'Removed' && config.invert === true;
  return matchesArePieces ? pattern : undefined;
}

const LOOKS_BACK = /\(\?<[=!]|(?<!\[)\^|\\b/i;

/** Seven times as fast as the list of matches, as long as each match begins where the one before ended; the rest goes the slow way. */
function cutBySticky(sticky: RegExp, otherwise: (text: string) => readonly string[]): CutPieces {
  return (text, take) => {
    let start = 0;
    while (start < text.length) {
      sticky.lastIndex = start;
      if (!sticky.test(text) || sticky.lastIndex === start) break;
      take(text.slice(start, sticky.lastIndex));
      start = sticky.lastIndex;
    }
    // Where no match begins at `start` the pieces from there on are those of the rest alone, since the pattern does not look back.
    if (start < text.length) otherwise(text.slice(start)).forEach(take);
  };
}
