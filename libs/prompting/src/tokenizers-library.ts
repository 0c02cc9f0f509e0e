import * as library from '@huggingface/tokenizers';

/** A step that cuts text into pre-tokens. */
export interface PreTokenizerStep {
  readonly config: { readonly type?: string; readonly behavior?: string; readonly invert?: boolean; readonly add_prefix_space?: boolean; readonly use_regex?: boolean };
  /** Of a `Split` step: its pattern in JavaScript's spelling. */
  readonly pattern?: RegExp | null;
  /** Of a sequence. */
  readonly tokenizers?: readonly PreTokenizerStep[];
  pre_tokenize(text: string | readonly string[]): string[];
}

/** What is used of @huggingface/tokenizers 0.2.0, whose own types do not resolve under NodeNext. */
export interface LibraryTokenizer {
  readonly model: { encode(pieces: readonly string[]): string[]; readonly tokens_to_ids: ReadonlyMap<string, number>; readonly unk_token_id?: number };
  readonly normalizer: { normalize(text: string): string } | null;
  readonly pre_tokenizer: PreTokenizerStep | null;
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: number[] };
}

export const LibraryTokenizer = (library as unknown as { readonly Tokenizer: new (tokenizerJson: object, config: object) => LibraryTokenizer }).Tokenizer;
