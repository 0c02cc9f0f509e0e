/** `<function bash>` for `<function=bash>`: Step models write it (SGLang #38893). The spellings have the same length. */
export function spellings(head: string): readonly string[] {
  return head.endsWith('=') ? [head, `${head.slice(0, -1)} `] : [head];
}

/** `<function="x">` and `<function name="x">` are read as `<function=x>`. */
export function stripQuotes(given: string): string {
  const text = /^name\s*=\s*["']/.test(given) ? given.slice(given.indexOf('=') + 1).trim() : given;
  const quote = text.charAt(0);
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}
