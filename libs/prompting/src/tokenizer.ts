import { createHash } from 'node:crypto';
import type { Tokenizer } from '@turnwright/contracts';
import { createSplitter } from './added-tokens.js';
import { namedTokens } from './named-tokens.js';
import { createPlainEncoder } from './plain-encoder.js';
import { createTokenBytes } from './token-bytes.js';
import { LibraryTokenizer } from './tokenizers-library.js';
import { parseTokenizerFiles, type AddedTokenEntry, type TokenizerFiles, type TokenizerJson } from './tokenizer-files.js';

/** A tokenizer that can name its added tokens. */
export interface LoadedTokenizer extends Tokenizer {
  readonly addedTokens: readonly string[];
  readonly specialTokens: readonly string[];
}

/**
 * A tokenizer from its files; the ids are those of the Rust tokenizers.
 *
 * Text is normalised (Qwen: NFC), so the tokens' bytes are those of the normalised text. A code point that only one of the two
 * Unicode tables knows may be cut in another place: Node 20 has Unicode 17, in which U+323B0 and on are letters, the Rust
 * tokenizers 0.23 an older one.
 * throws AgentError `tokenizer-failed`, `unsupported`
 */
export function loadTokenizer(files: TokenizerFiles): LoadedTokenizer {
  const { json, config, alphabet, dropsFirstSpace } = parseTokenizerFiles(files);
  const encodePlain = createPlainEncoder(json, config, alphabet);
  const added = new Map(json.added_tokens.map((token) => [token.content, token.id]));
  const encode = json.added_tokens.some(changesNeighbours) ? libraryEncoder(json, config) : splittingEncoder(added, encodePlain);
  const bytes = createTokenBytes(json, alphabet);
  const decode = (ids: ArrayLike<number>): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(Array.from(ids, bytes.of)));
  return {
    name: files.name,
    fingerprint: createHash('sha256').update(encode(PROBE).join(',')).digest('hex').slice(0, 16),
    vocabularySize: bytes.size,
    addedTokens: [...added.keys()],
    specialTokens: json.added_tokens.filter((token) => token.special === true).map((token) => token.content),
    namedTokens: namedTokens(config as Readonly<Record<string, unknown>>),
    encode,
    encodePlain,
    decode: dropsFirstSpace ? (ids) => decode(ids).replace(/^ /, '') : decode,
    tokenBytes: bytes.of,
    addedTokenId: (text) => added.get(text),
  };
}

/** Fixed for ever: a sample's fingerprint is compared with those of other versions. */
const PROBE = 'Probe 1234567890 of def tokenizer(self):\n\t\treturn {"naïve": [1.5e-3, None]}  # 你好, Привет, 🙂\r\n<|im_start|>assistant\n<think>\n\n</think><|im_end|><tool_call>';

function changesNeighbours(token: AddedTokenEntry): boolean {
  return [token.lstrip, token.rstrip, token.single_word, token.normalized].includes(true);
}

/** For added tokens that take white space of their neighbours or are looked for in normalised text: the library's own way. */
function libraryEncoder(json: TokenizerJson, config: object): (text: string) => number[] {
  const library = new LibraryTokenizer({ ...json, post_processor: null }, config);
  return (text) => (text === '' ? [] : library.encode(text, { add_special_tokens: false }).ids);
}

function splittingEncoder(added: ReadonlyMap<string, number>, encodePlain: (text: string) => number[]): (text: string) => number[] {
  const split = createSplitter([...added.keys()]);
  return (text) => split(text).flatMap((stretch) => (stretch.addedToken ? (added.get(stretch.text) ?? []) : encodePlain(stretch.text)));
}
