import { AgentError } from '@turnwright/contracts';

/** The files of a tokenizer, as parsed JSON. */
export interface TokenizerFiles {
  readonly name: string;
  readonly tokenizerJson: unknown;
  readonly tokenizerConfig: unknown;
}

/** The parts of a tokenizer.json that are looked at here; the library reads the rest. */
export interface TokenizerJson {
  readonly added_tokens: readonly AddedTokenEntry[];
  readonly decoder: { readonly type: string; readonly decoders?: readonly { readonly type: string }[] };
  readonly model: ModelJson;
}

export interface ModelJson {
  readonly type?: string;
  readonly vocab: Readonly<Record<string, number>>;
  readonly merges: readonly (string | readonly string[])[];
  readonly continuing_subword_prefix?: string | null;
  readonly end_of_word_suffix?: string | null;
  readonly byte_fallback?: boolean;
  readonly ignore_merges?: boolean;
}

export interface AddedTokenEntry {
  readonly id: number;
  readonly content: string;
  readonly single_word?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
  readonly normalized?: boolean;
}

/** Checks the files. throws AgentError `tokenizer-failed` for another shape, `unsupported` for a vocabulary that is not byte-level */
export function parseTokenizerFiles({ name, tokenizerJson: json, tokenizerConfig: config }: TokenizerFiles): { readonly json: TokenizerJson; readonly config: object } {
  const refuse = (code: 'tokenizer-failed' | 'unsupported', what: string) => new AgentError(code, `Tokenizer "${name}": expected ${what}.`, { fields: { name } });
  if (!isRecord(json) || !isRecord(config)) throw refuse('tokenizer-failed', 'tokenizer.json and tokenizer_config.json to hold objects');
  if (!isRecord(json['model']) || !isRecord(json['model']['vocab'])) throw refuse('tokenizer-failed', 'tokenizer.json to have an object model.vocab');
  if (!Array.isArray(json['model']['merges'])) throw refuse('unsupported', 'a byte-pair model, with merges');
  const added = json['added_tokens'] ?? [];
  if (!Array.isArray(added) || !added.every(isAddedToken)) throw refuse('tokenizer-failed', 'every entry of added_tokens to have an id and a content');
  const decoder = json['decoder'];
  if (!isRecord(decoder) || ![decoder, ...listOf(decoder['decoders'])].some((stage) => isRecord(stage) && stage['type'] === 'ByteLevel')) {
    throw refuse('unsupported', 'a byte-level vocabulary, with a ByteLevel decoder');
  }
  return { json: { ...json, added_tokens: added } as unknown as TokenizerJson, config };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAddedToken(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value['id']) && typeof value['content'] === 'string' && value['content'] !== '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
