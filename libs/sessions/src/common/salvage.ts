import { valueEnd } from '../json-lines/raw-json.js';

/**
 * The document with NaN, Infinity and -Infinity as null; undefined when it has none.
 *
 * Only what stands where a value begins is touched, never a word inside a string.
 */
export function withoutBareNumbers(json: string): { readonly json: string; readonly first: number } | undefined {
  const pieces: string[] = [];
  let from = 0;
  let first = -1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      const end = valueEnd(json, at);
      if (end < 0) break;
      at = end - 1;
    } else if (code === 0x4e || code === 0x49) {
      const word = BARE.find((candidate) => json.startsWith(candidate, at));
      if (word === undefined) continue;
      const start = json[at - 1] === '-' ? at - 1 : at;
      if (first < 0) first = start;
      pieces.push(json.slice(from, start), 'null');
      from = at + word.length;
      at = from - 1;
    }
  }
  return first < 0 ? undefined : { json: [...pieces, json.slice(from)].join(''), first };
}

const BARE = ['NaN', 'Infinity'];

/**
 * What is left of a document that was cut or has an error: the items before it of the outermost list that holds it, closed again.
 *
 * The item with the fault is left out whole, since half a message is another message. Linear.
 */
export function salvageJson(json: string): { readonly json: string; readonly brokenAt: number; readonly isCut: boolean } {
  const open: string[] = [];
  // Behind the last whole item of the outermost list, or the last whole member of the root.
  let safe = { at: 0, closers: '' };
  let at = 0;
  const note = (): void => {
    const list = open.indexOf('[');
    if (open.length > 0 && (list < 0 ? open.length === 1 : open.length === list + 1)) safe = { at, closers: closersOf(open) };
  };
  let expecting: 'value' | 'key' | 'colon' | 'comma' = 'value';
  while (at < json.length) {
    const character = json[at] ?? '';
    if (' \n\r\t'.includes(character)) {
      at++;
    } else if (character === ',' && expecting === 'comma' && open.length > 0) {
      at++;
      expecting = open.at(-1) === '{' ? 'key' : 'value';
    } else if (character === ':' && expecting === 'colon') {
      at++;
      expecting = 'value';
    } else if ((character === '}' || character === ']') && open.length > 0 && closerOf(open.at(-1)) === character && expecting !== 'colon') {
      at++;
      open.pop();
      expecting = 'comma';
      note();
    } else if ((character === '{' || character === '[') && expecting === 'value') {
      at++;
      open.push(character);
      expecting = character === '{' ? 'key' : 'value';
      if (open.length === 1 || character === '[') note();
    } else {
      const end = scalarEnd(json, at, expecting);
      if (end < 0) break;
      at = end;
      if (expecting === 'key') expecting = 'colon';
      else {
        expecting = 'comma';
        note();
      }
    }
  }
  return { json: json.slice(0, safe.at) + safe.closers, brokenAt: at, isCut: at >= json.length || valueEnd(json, at) < 0 || valueEnd(json, at) === json.length };
}

function scalarEnd(json: string, at: number, expecting: string): number {
  if (expecting !== 'value' && expecting !== 'key') return -1;
  if (expecting === 'key' && json[at] !== '"') return -1;
  const end = valueEnd(json, at);
  if (end < 0 || (end === json.length && json[at] !== '"')) return -1;
  try {
    JSON.parse(json.slice(at, end));
    return end;
  } catch {
    return -1;
  }
}

function closerOf(opener: string | undefined): string {
  return opener === '{' ? '}' : ']';
}

function closersOf(open: readonly string[]): string {
  return [...open].reverse().map(closerOf).join('');
}
