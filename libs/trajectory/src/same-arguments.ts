/**
 * Whether two texts hold the same JSON values in another spelling: key order, white space, escapes, number forms, or defaults that a schema
 * fills in (slime #2282). What stands between the values must agree up to white space.
 */
export function sameArguments(held: string, given: string): boolean {
  const [a, b] = [split(held), split(given)];
  if (a.values.length === 0 || b.values.length < a.values.length) return false;
  if (!a.values.every((value, i) => covers(b.values[i], value))) return false;
  return a.between.every((text, i) => squeeze(text) === squeeze(b.between[i] ?? '') || (i === a.between.length - 1 && squeeze(b.between[i] ?? '').startsWith(squeeze(text))));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

interface Split {
  readonly values: readonly unknown[];
  readonly between: readonly string[];
}

/** The JSON objects of a text, and what stands around them. */
function split(text: string): Split {
  const values: unknown[] = [];
  const between: string[] = [];
  let start = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const end = objectEnd(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (end === undefined || value === undefined) {
      at += 1;
      continue;
    }
    between.push(text.slice(start, at));
    values.push(value);
    start = at = end;
  }
  between.push(text.slice(start));
  return { values, between };
}

/** Where the object that opens at `start` ends; braces inside strings do not count. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether `given` says at least what `held` says; texts may have lost white space at their end. */
function covers(given: unknown, held: unknown): boolean {
  if (typeof held === 'string' && typeof given === 'string') return held.trimEnd() === given.trimEnd();
  if (typeof held !== 'object' || held === null || typeof given !== 'object' || given === null) return held === given;
  if (Array.isArray(held) || Array.isArray(given)) return Array.isArray(held) && Array.isArray(given) && held.length === given.length && held.every((value, i) => covers(given[i], value));
  return Object.entries(held).every(([key, value]) => Object.hasOwn(given, key) && covers((given as Record<string, unknown>)[key], value));
}
