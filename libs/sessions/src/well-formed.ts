/** The text with U+FFFD for each lone surrogate, so that it has a UTF-8 encoding. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
