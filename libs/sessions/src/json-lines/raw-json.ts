import type { JsonText } from '@turnwright/contracts';

/** Where a value stands in its JSON text; half-open, UTF-16 units. */
export interface RawSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a value by keys and indices in JSON text that `JSON.parse` accepts.
 *
 * Nothing is parsed into numbers or objects, so lexemes and key order survive. Of duplicate keys the last one counts, as in `JSON.parse`.
 */
export function findRaw(text: string, path: readonly (string | number)[], from = 0): RawSpan | undefined {
  let at = skipSpace(text, from);
  for (const step of path) {
    const found = typeof step === 'string' ? findMember(text, at, step) : findItem(text, at, step);
    if (found === undefined) return undefined;
    at = found;
  }
  const end = valueEnd(text, at);
  return end < 0 ? undefined : { start: at, end };
}

/** Where the value that starts at `start` ends, or -1 when the text ends or breaks first. Linear; never parses. */
export function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return scalarEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
    } else if (code === 0x7d || code === 0x5d) {
      if (--depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * Prints JSON text as Python's `json.dumps(value, ensure_ascii=False)` would: `", "` and `": "` between tokens, no needless escapes.
 *
 * Models are trained on, and chat templates print, that spelling, while the recorder only kept the parsed value: the result is the same
 * value in the likeliest spelling, hence `re-rendered` and never `bytes`. Number lexemes and key order stay; a lone surrogate stays an
 * escape, which is the only way in which a model can have written it.
 */
export function respaceJson(raw: string): JsonText {
  // Pieces and not one growing string: joined text is flat, and does not keep the whole line alive.
  const printed: string[] = [];
  let at = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(raw, at);
      const token = raw.slice(at, end < 0 ? raw.length : end);
      printed.push(token.includes('\\') ? respelled(token) : token);
      at += token.length;
    } else {
      if (code === 0x2c) printed.push(', ');
      else if (code === 0x3a) printed.push(': ');
      else if (!isSpace(code)) printed.push(raw.charAt(at));
      at++;
    }
  }
  return printed.join('');
}

/**
 * The text of an object without one member, wherever it first stands; the text itself when that member is not found.
 *
 * Display data is often most of a record: stepping over it is cheaper than parsing it. A quote inside a string is escaped, so the search
 * cannot hit one; what stands in the member is not checked.
 */
export function withoutMember(text: string, key: string): string {
  const marker = `,"${key}":`;
  const start = text.indexOf(marker);
  if (start < 0) return text;
  const end = valueEnd(text, skipSpace(text, start + marker.length));
  return end < 0 ? text : text.slice(0, start) + text.slice(end);
}

function respelled(token: string): string {
  try {
    return JSON.stringify(JSON.parse(token));
  } catch {
    return token;
  }
}

function findMember(text: string, objectStart: number, key: string): number | undefined {
  if (text[objectStart] !== '{') return undefined;
  let found: number | undefined;
  let at = skipSpace(text, objectStart + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    if (keyEnd < 0) return found;
    const colon = skipSpace(text, keyEnd);
    const value = skipSpace(text, colon + 1);
    if (keyIs(text.slice(at, keyEnd), key)) found = value;
    const end = valueEnd(text, value);
    if (end < 0) return found;
    at = skipSpace(text, end);
    if (text[at] !== ',') return found;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function findItem(text: string, arrayStart: number, index: number): number | undefined {
  if (text[arrayStart] !== '[') return undefined;
  let at = skipSpace(text, arrayStart + 1);
  for (let item = 0; item < index; item++) {
    const end = valueEnd(text, at);
    if (end < 0) return undefined;
    at = skipSpace(text, end);
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return text[at] === ']' ? undefined : at;
}

function keyIs(token: string, key: string): boolean {
  return token.includes('\\') ? JSON.parse(token) === key : token.length === key.length + 2 && token.startsWith(key, 1);
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at++;
  return at > start ? at : -1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
