import { byteLevelCharacter } from './byte-alphabet.js';
import { mergePairs } from './byte-pair-merger.js';
import { PairTable } from './pair-table.js';
import type { ModelJson } from './tokenizer-files.js';

/** Ids of one pre-token. */
export type PieceEncoder = (piece: string) => readonly number[];

/** What a vocabulary's tokens are made of: bytes in GPT-2's alphabet, or characters with `<0xNN>` for bytes of the others. */
export type Alphabet = 'bytes' | 'characters';

/**
 * Byte-pair encoding of a pre-token by own code; undefined for a model with further rules, which only the library knows.
 *
 * source huggingface/tokenizers models/bpe/model.rs
 */
export function createPieceEncoder(model: ModelJson, alphabet: Alphabet): PieceEncoder | undefined {
  if ((model.type ?? 'BPE') !== 'BPE' || model.continuing_subword_prefix || model.end_of_word_suffix || model.dropout) return undefined;
  const vocabulary = new Map(Object.entries(model.vocab));
  const idOfByte = Array.from({ length: 0x100 }, (_, byte) => vocabulary.get(alphabet === 'bytes' ? byteLevelCharacter(byte) : byteToken(byte)));
  if (idOfByte.includes(undefined) || (alphabet === 'characters' && model.byte_fallback !== true)) return undefined;
  const idsOfBytes = Int32Array.from(idOfByte, (id) => id ?? 0);
  const pairs = new PairTable(model, vocabulary);
  const symbols = alphabet === 'bytes' ? byteSymbols(idsOfBytes) : characterSymbols(vocabulary, idsOfBytes);
  if (model.ignore_merges !== true) return (piece) => mergePairs(symbols(piece), pairs);
  const spelled = alphabet === 'bytes' ? byteLevelText : (piece: string) => piece;
  return (piece) => {
    const whole = vocabulary.get(spelled(piece));
    return whole === undefined ? mergePairs(symbols(piece), pairs) : [whole];
  };
}

export function byteToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

const utf8 = new TextEncoder();

function byteSymbols(idsOfBytes: Int32Array): (piece: string) => Int32Array {
  return (piece) => Int32Array.from(utf8.encode(piece), (byte) => idsOfBytes[byte] ?? 0);
}

function byteLevelText(piece: string): string {
  let text = '';
  for (const byte of utf8.encode(piece)) text += byteLevelCharacter(byte);
  return text;
}

function characterSymbols(vocabulary: ReadonlyMap<string, number>, idsOfBytes: Int32Array): (piece: string) => Int32Array {
  return (piece) => {
    const symbols: number[] = [];
    for (const character of piece) {
      const id = vocabulary.get(character);
      if (id !== undefined) symbols.push(id);
      else for (const byte of utf8.encode(character)) symbols.push(idsOfBytes[byte] ?? 0);
    }
    return Int32Array.from(symbols);
  };
}
