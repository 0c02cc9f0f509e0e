import { byteLevelBytes } from './byte-alphabet.js';
import type { Alphabet } from './piece-encoder.js';
import type { TokenizerJson } from './tokenizer-files.js';

/** The bytes that each token stands for, by id; made when first asked for, token by token. */
export function createTokenBytes(json: TokenizerJson, alphabet: Alphabet): { readonly size: number; of(id: number): Uint8Array } {
  const texts: (string | undefined)[] = [];
  for (const token in json.model.vocab) texts[json.model.vocab[token] ?? 0] = token;
  const added = new Map(json.added_tokens.map(({ id, content }) => [id, content]));
  const known: (Uint8Array | undefined)[] = [];
  const make = (id: number): Uint8Array => {
    const content = added.get(id);
    if (content !== undefined) return utf8.encode(content);
    const token = texts[id];
    if (token === undefined) return NOTHING;
    return alphabet === 'bytes' ? byteLevelBytes(token) : characterBytes(token);
  };
  const size = json.added_tokens.reduce((largest, { id }) => Math.max(largest, id + 1), texts.length);
  return { size, of: (id) => (known[id] ??= make(id)) };
}

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array(0);
const BYTE = /^<0x([0-9A-F]{2})>$/;

function characterBytes(token: string): Uint8Array {
  const byte = BYTE.exec(token)?.[1];
  return byte === undefined ? utf8.encode(token.replaceAll('\u2581', ' ')) : Uint8Array.of(parseInt(byte, 16));
}
