import { BoundedMemo } from './bounded-memo.js';
import { createPieceEncoder, type Alphabet, type PieceEncoder } from './piece-encoder.js';
import { pieceCutter, type CutPieces } from './piece-cutter.js';
import { LibraryTokenizer, type PreTokenizerStep } from './tokenizers-library.js';
import type { TokenizerJson } from './tokenizer-files.js';

/**
 * Ids of text in which nothing is an added token.
 *
 * The ids of each pre-token are remembered, which makes text that resembles earlier text some ten times as fast.
 */
export function createPlainEncoder(json: TokenizerJson, config: object, alphabet: Alphabet): (text: string) => number[] {
  const { cut, idsOf } = preTokenSteps(json, config, alphabet);
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
  readonly cut: CutPieces;
  readonly idsOf: PieceEncoder;
}

/** How text is cut into pre-tokens, and a pre-token into ids: by own code where the model is plain BPE, else by the library. */
function preTokenSteps(json: TokenizerJson, config: object, alphabet: Alphabet): PreTokenSteps {
  const own = createPieceEncoder(json.model, alphabet);
  const { normalizer, pre_tokenizer: whole } = new LibraryTokenizer({ ...json, model: EMPTY_MODEL, added_tokens: [], post_processor: null }, config);
  const steps = whole === null ? [] : (whole.tokenizers ?? [whole]);
  const normalize = (text: string): string => (normalizer === null || text === '' ? text : normalizer.normalize(text));
  const last = steps.at(-1);
  const kept = alphabet === 'characters' ? steps : ownByteLevel(last) ? steps.slice(0, -1) : undefined;
  if (own === undefined || kept === undefined) return librarySteps(json, config, steps, normalize);
  const cut = pieceCutter(kept, { gpt2: alphabet === 'bytes' && last?.config.use_regex !== false, apartBefore: alphabet === 'characters' ? separableSpace(json) : undefined });
  return { cut: (text, take) => cut(normalize(text), take), idsOf: own };
}

const EMPTY_MODEL = { type: 'BPE', vocab: {}, merges: [] };

/** Whether the step only spells bytes, and cuts at most as GPT-2 did. */
function ownByteLevel(step: PreTokenizerStep | undefined): boolean {
  return step?.config.type === 'ByteLevel' && step.config.add_prefix_space !== true;
}

/**
 * The sign of a space, if no token holds one after another character: then no merge goes across such a place, and text may be cut
 * there. Vocabularies without a pre-tokenizer would otherwise have a whole text as one word.
 */
function separableSpace({ model }: TokenizerJson): string | undefined {
  const within = new RegExp(`[^${SPACE_SIGN}]${SPACE_SIGN}`, 'u');
  for (const token in model.vocab) if (within.test(token)) return undefined;
  return SPACE_SIGN;
}

const SPACE_SIGN = '\u2581';

function librarySteps(json: TokenizerJson, config: object, steps: readonly PreTokenizerStep[], normalize: (text: string) => string): PreTokenSteps {
  const { model } = new LibraryTokenizer({ ...json, added_tokens: [], post_processor: null }, config);
  const cut = pieceCutter(steps, { gpt2: false, apartBefore: undefined });
  return {
    cut: (text, take) => cut(normalize(text), take),
    idsOf: (piece) => model.encode([piece]).flatMap((token) => model.tokens_to_ids.get(token) ?? model.unk_token_id ?? []),
  };
}
