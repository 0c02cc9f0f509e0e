import { AgentError } from '@turnwright/contracts';
import type { Alphabet } from './piece-encoder.js';

/** The files of a tokenizer, as parsed JSON. */
export interface TokenizerFiles {
  readonly name: string;
  readonly tokenizerJson: unknown;
  readonly tokenizerConfig: unknown;
}

/** The parts of a tokenizer.json that are looked at here; the library reads the rest. */
export interface TokenizerJson {
  readonly added_tokens: readonly AddedTokenEntry[];
  readonly decoder: DecoderStage;
  readonly model: ModelJson;
}

interface DecoderStage {
  readonly type: string;
  readonly decoders?: readonly DecoderStage[];
}

export interface ModelJson {
  readonly type?: string;
  readonly vocab: Readonly<Record<string, number>>;
  readonly merges: readonly (string | readonly string[])[];
  readonly continuing_subword_prefix?: string | null;
  readonly end_of_word_suffix?: string | null;
  readonly byte_fallback?: boolean | null;
  readonly ignore_merges?: boolean | null;
  readonly dropout?: number | null;
}

export interface AddedTokenEntry {
  readonly id: number;
  readonly content: string;
  readonly single_word?: boolean;
  readonly lstrip?: boolean;
  readonly rstrip?: boolean;
  readonly normalized?: boolean;
  readonly special?: boolean;
}

export interface ParsedTokenizer {
  readonly json: TokenizerJson;
  readonly config: object;
  readonly alphabet: Alphabet;
  /** Whether decoding takes away a space that encoding put before the text. */
  readonly dropsFirstSpace: boolean;
}

/** Checks the files. throws AgentError `tokenizer-failed` for another shape, `unsupported` for a vocabulary whose bytes are not known */
export function parseTokenizerFiles({ name, tokenizerJson: json, tokenizerConfig: config }: TokenizerFiles): ParsedTokenizer {
  const refuse = (code: 'tokenizer-failed' | 'unsupported', what: string) => new AgentError(code, `Tokenizer "${name}": expected ${what}.`, { fields: { name } });
  if (!isRecord(json) || !isRecord(config)) throw refuse('tokenizer-failed', 'tokenizer.json and tokenizer_config.json to hold objects');
  if (!isRecord(json['model']) || !isRecord(json['model']['vocab'])) throw refuse('tokenizer-failed', 'tokenizer.json to have an object model.vocab');
  if (!Array.isArray(json['model']['merges'])) throw refuse('unsupported', 'a byte-pair model, with merges');
  const added = json['added_tokens'] ?? [];
  if (!Array.isArray(added) || !added.every(isAddedToken)) throw refuse('tokenizer-failed', 'every entry of added_tokens to have an id and a content');
  const stages = decoderStages(json['decoder']);
  const alphabet = stages.includes('ByteLevel') ? 'bytes' : stages.includes('ByteFallback') ? 'characters' : undefined;
  if (alphabet === undefined) throw refuse('unsupported', 'a byte-level vocabulary, with a ByteLevel decoder, or one of characters, with a ByteFallback decoder');
  if (JSON.stringify(json['pre_tokenizer'] ?? null).includes('"prepend_scheme":"first"')) throw refuse('unsupported', 'a pre-tokenizer that treats every text the same, not one with prepend_scheme "first"');
  return { json: { ...json, added_tokens: added } as unknown as TokenizerJson, config, alphabet, dropsFirstSpace: stages.includes('Strip') };
}

/** The types of a decoder and of the decoders in it. */
function decoderStages(decoder: unknown): readonly string[] {
  if (!isRecord(decoder)) return [];
  return [String(decoder['type']), ...listOf(decoder['decoders']).flatMap(decoderStages)];
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
