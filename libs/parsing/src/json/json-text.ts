import { Source } from '../source/source.js';
import { JsonScanner } from './json-scanner.js';

/** Up to this length a loop is faster than the runtime's writer. */
const LOOP_MAX = 32;
const SHORT: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** By UTF-16 unit. */
const ESCAPES: readonly string[] = Array.from({ length: 93 }, (_, code) => SHORT[String.fromCharCode(code)] ?? `\\u${code.toString(16).padStart(4, '0')}`);

/**
 * The inside of a JSON string for `text`, as Python's `json.dumps(ensure_ascii=False)` writes it.
 *
 * A half of a surrogate pair passes as it is, so that pieces cut between the halves join to the whole.
 */
export function escapeJson(text: string): string {
  // The runtime's own writer differs only in that it escapes halves of surrogate pairs.
  if (text.length > LOOP_MAX && text.isWellFormed()) return JSON.stringify(text).slice(1, -1);
  let escaped = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 32 && code !== 34 && code !== 92) continue;
    escaped += text.slice(from, i) + (ESCAPES[code] ?? '');
    from = i + 1;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

/** `text` as a JSON string. */
export function quoteJson(text: string): string {
  // Taking the quotes off a long text and putting them on again would copy it twice.
  return text.length > LOOP_MAX && text.isWellFormed() ? JSON.stringify(text) : `"${escapeJson(text)}"`;
}

/** The JSON value that is all of `text`, with repairs, or undefined. Lexemes and spacing stay as written. */
export function readJson(text: string, depthMax = 256): { readonly json: string; readonly notes: readonly string[] } | undefined {
  const source = new Source();
  source.feed(text);
  source.final = true;
  const notes: string[] = [];
  let json = '';
  const scanner = new JsonScanner(source, { text: (part) => { json += part; }, note: (code) => { if (!notes.includes(code)) notes.push(code); } }, depthMax);
  // A number or word at the end of the text has no delimiter, which `final` stands for.
  if (scanner.run() !== 'done') return undefined;
  return source.text.slice(source.position).trim() === '' ? { json: json.trim(), notes } : undefined;
}

/** The first top-level character that is not white space. */
export function firstCharacter(text: string): string {
  return /\S/.exec(text)?.[0] ?? '';
}
