import { Source } from '../source/source.js';
import { JsonScanner } from './json-scanner.js';

 
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;
 
const EVERY_ESCAPE = /["\\\u0000-\u001f]/g;

const SHORT: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The inside of a JSON string for `text`, as Python's `json.dumps(ensure_ascii=False)` writes it.
 *
 * A half of a surrogate pair passes as it is, so that pieces cut between the halves join to the whole.
 */
export function escapeJson(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  // The runtime's own writer is ten times faster, and differs only in that it escapes halves of surrogate pairs.
  if (text.length > 16 && text.isWellFormed()) return JSON.stringify(text).slice(1, -1);
  return text.replace(EVERY_ESCAPE, (character) => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function quoteJson(text: string): string {
  return `"${escapeJson(text)}"`;
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
