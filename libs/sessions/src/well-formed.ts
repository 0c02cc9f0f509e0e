/** The text with U+FFFD for each lone surrogate, so that it has a UTF-8 encoding. */
export function wellFormed(text: string): string {
  // Node 20 has it; the ES2023 library of the compiler does not know it yet.
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
