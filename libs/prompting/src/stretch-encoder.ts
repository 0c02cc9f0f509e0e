import type { Tokenizer } from '@turnwright/contracts';
import type { Splitter, Stretch } from './added-tokens.js';
import { BoundedMemo } from './bounded-memo.js';
import type { Str } from './python/values.js';

/** Ids of rendered text; undefined for text that has no UTF-8. */
export interface StretchEncoder {
  text(text: Str): Int32Array | undefined;
  stretches(stretches: readonly Stretch[]): Int32Array | undefined;
}

/**
 * Encodes what lies between added tokens, each such stretch once: a prompt repeats the ones before it.
 *
 * Exact for tokenizers whose added tokens leave their neighbours alone. A `control` token that was typed in content is plain text.
 */
export function createStretchEncoder(tokenizer: Tokenizer, addedTokens: readonly string[], split: Splitter): StretchEncoder {
  const memo = new BoundedMemo<Int32Array>(MEMO_BUDGET_UTF16);
  const single = new Map(addedTokens.map((text) => [text, Int32Array.of(tokenizer.addedTokenId(text) ?? 0)]));
  const idsOf = (plain: string): Int32Array | undefined => {
    const known = memo.get(plain);
    if (known !== undefined) return known;
    if (!plain.isWellFormed()) return undefined;
    const ids = Int32Array.from(tokenizer.encodePlain(plain));
    memo.set(plain, ids);
    return ids;
  };
  const stretches: StretchEncoder['stretches'] = (list) => joinIds(list.map((stretch) => (stretch.addedToken ? single.get(stretch.text) : undefined) ?? idsOf(stretch.text)));
  return { stretches, text: (text) => stretches(split(text)) };
}

const MEMO_BUDGET_UTF16 = 32_000_000;

function joinIds(parts: readonly (Int32Array | undefined)[]): Int32Array | undefined {
  const ids = new Int32Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  let end = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    ids.set(part, end);
    end += part.length;
  }
  return ids;
}
