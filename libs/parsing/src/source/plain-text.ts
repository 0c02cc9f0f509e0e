const BACKSLASH = 92;
const QUOTE = 34;

/** Two-character escapes that pass as they are, by what follows the backslash: 1 for those of `characters`. */
export function escapeTable(characters: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));
}

/**
 * Index behind the text of a string that is JSON as it stands: no end (`quote`), no control character, no double quote, and of escapes
 * only those of the table. Most of an output is passed over here.
 */
export function endOfPlainText(text: string, from: number, quote: number, escapes: Uint8Array): number {
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      if (i + 1 === text.length || escapes[text.charCodeAt(i + 1)] !== 1) return i;
      i++;
    } else if (code === quote || code < 32 || code === QUOTE) return i;
  }
  return i;
}
