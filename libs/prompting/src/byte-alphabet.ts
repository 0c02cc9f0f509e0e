/**
 * The bytes of a byte-level vocabulary's token.
 *
 * A token that has a character outside the alphabet stands for its own UTF-8.
 * source openai/gpt-2 encoder.py bytes_to_unicode; huggingface/tokenizers pre_tokenizers/byte_level.rs
 */
export function byteLevelBytes(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index++) {
    const byte = BYTE_BY_CHARACTER.get(token.charCodeAt(index));
    if (byte === undefined) return new TextEncoder().encode(token);
    bytes[index] = byte;
  }
  return bytes;
}

/** The character that stands for a byte. */
export function byteLevelCharacter(byte: number): string {
  return CHARACTER_BY_BYTE[byte] ?? '';
}

const BYTE_BY_CHARACTER = alphabet();
const CHARACTER_BY_BYTE: readonly string[] = [...BYTE_BY_CHARACTER].map(([character]) => String.fromCharCode(character));

/** Printable Latin-1 bytes stand for themselves; the others, in order, for U+0100 and on. */
function alphabet(): ReadonlyMap<number, number> {
  const characters = new Map<number, number>();
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    characters.set(printable ? byte : next++, byte);
  }
  return characters;
}
