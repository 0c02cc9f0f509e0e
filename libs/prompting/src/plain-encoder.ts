import { BoundedMemo } from './bounded-memo.js';
import { createMerger } from './byte-pair-merger.js';
import { LibraryTokenizer, type PreTokenizerStep } from './tokenizers-library.js';
import type { TokenizerJson } from './tokenizer-files.js';

/**
 * Ids of text in which nothing is an added token.
 *
 * The ids of each pre-token are remembered, which makes text that resembles earlier text some ten times as fast.
 */
export function createPlainEncoder(json: TokenizerJson, config: object): (text: string) => number[] {
  const { cut, idsOf } = preTokenSteps(json, config);
  const memo = new BoundedMemo<readonly number[]>(MEMO_BUDGET_UTF16);
  return (text) => {
    const ids: number[] = [];
    cut(text, (piece) => {
      let known = memo.get(piece);
      if (known === undefined) {
        known = idsOf(piece);
        if (piece.length <= LONGEST_REMEMBERED_UTF16) memo.set(piece, known);
      }
      // Not a spread: a long pre-token has more ids than a call may have arguments.
      for (const id of known) ids.push(id);
    });
    return ids;
  };
}

const MEMO_BUDGET_UTF16 = 16_000_000;
const LONGEST_REMEMBERED_UTF16 = 256;

interface PreTokenSteps {
  cut(text: string, take: (piece: string) => void): void;
  idsOf(piece: string): readonly number[];
}

/** How text is cut into pre-tokens, and a pre-token into ids: by own code where the model is plain byte-level BPE, else by the library. */
function preTokenSteps(json: TokenizerJson, config: object): PreTokenSteps {
  const merger = createMerger(json.model);
  const model = merger === undefined ? json.model : { ...json.model, vocab: {}, merges: [] };
  const { model: libraryModel, normalizer, pre_tokenizer: whole } = new LibraryTokenizer({ ...json, model, added_tokens: [], post_processor: null }, config);
  const steps = whole === null ? [] : (whole.tokenizers ?? [whole]);
  const last = steps.at(-1);
  const normalize = (text: string): string => (normalizer === null || text === '' ? text : normalizer.normalize(text));
  if (merger !== undefined && last?.config.type === 'ByteLevel' && last.config.use_regex === false && last.config.add_prefix_space !== true) {
    const utf8 = new TextEncoder();
    const pieces = pieceCutter(steps.slice(0, -1));
    return { cut: (text, take) => pieces(normalize(text), take), idsOf: (piece) => merger(utf8.encode(piece)) };
  }
  const library = merger === undefined ? libraryModel : new LibraryTokenizer({ ...json, added_tokens: [], post_processor: null }, config).model;
  const pieces = pieceCutter(steps);
  return {
    cut: (text, take) => pieces(normalize(text), take),
    idsOf: (piece) => library.encode([piece]).flatMap((token) => library.tokens_to_ids.get(token) ?? library.unk_token_id ?? []),
  };
}

function pieceCutter(steps: readonly PreTokenizerStep[]): PreTokenSteps['cut'] {
  const [only] = steps;
  const pattern = steps.length === 1 && only?.config.type === 'Split' && only.config.behavior === 'Isolated' && only.config.invert === false ? only.pattern : undefined;
  const bySteps = (text: string): readonly string[] => steps.reduce<readonly string[]>((pieces, step) => step.pre_tokenize(pieces), text === '' ? [] : [text]);
  if (pattern === undefined || pattern === null || LOOKS_BACK.test(pattern.source)) return (text, take) => bySteps(text).forEach(take);
  return cutBySticky(new RegExp(pattern.source, pattern.flags.replace('g', '') + 'y'), bySteps);
}

const LOOKS_BACK = /\(\?<[=!]|(?<!\[)\^|\\b/i;

/** Seven times as fast as the list of matches, as long as each match begins where the one before ended; the rest goes the slow way. */
function cutBySticky(sticky: RegExp, otherwise: (text: string) => readonly string[]): PreTokenSteps['cut'] {
  return (text, take) => {
    let start = 0;
    while (start < text.length) {
      sticky.lastIndex = start;
      if (!sticky.test(text) || sticky.lastIndex === start) break;
      take(text.slice(start, sticky.lastIndex));
      start = sticky.lastIndex;
    }
    // Where no match begins at `start` the pieces from there on are those of the rest alone, since the pattern does not look back.
    otherwise(text.slice(start)).forEach(take);
  };
}
