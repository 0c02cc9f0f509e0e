/** A number as JSON wrote it; Python tells `1.0` from `1` and keeps integers of any size. */
export class JsonNumber {
  constructor(readonly lexeme: string) {}
}

/** JSON as Python reads it: numbers keep their lexemes, and a Map keeps the order of keys, also of integer-like ones. */
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | ReadonlyMap<string, JsonValue>;

/** Reads JSON text as Python's json.loads does. throws SyntaxError, with the offset */
export function parseJson(text: string): JsonValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** The same values from JavaScript, for those that never were text here; what JSON lacks is left out. */
export function toJsonValue(value: unknown): JsonValue {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : parseJson(text);
}

/** As deep as Python's recursion limit lets it go, about. */
const DEEPEST = 900;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:Infinity|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|NaN/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS: readonly (readonly [string, JsonValue])[] = [['null', null], ['true', true], ['false', false]];

class Reader {
  private offset = 0;

  constructor(private readonly text: string) {}

  value(depth: number): JsonValue {
    this.take(SPACE);
    if (depth > DEEPEST) throw this.expected('fewer levels of nesting');
    const next = this.text[this.offset];
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (next === '"') return this.string();
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.offset)) {
        this.offset += word.length;
        return value;
      }
    }
    const number = this.take(NUMBER);
    if (number === '') throw this.expected('a value');
    return new JsonNumber(number);
  }

  end(): void {
    this.take(SPACE);
    if (this.offset < this.text.length) throw this.expected('the end');
  }

  private object(depth: number): JsonValue {
    const entries = new Map<string, JsonValue>();
    this.offset++;
    if (this.skip('}')) return entries;
    do {
      this.take(SPACE);
      const key = this.string();
      if (!this.skip(':')) throw this.expected('":"');
      entries.set(key, this.value(depth + 1));
    } while (this.skip(','));
    if (!this.skip('}')) throw this.expected('"," or "}"');
    return entries;
  }

  private array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.offset++;
    if (this.skip(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.skip(','));
    if (!this.skip(']')) throw this.expected('"," or "]"');
    return items;
  }

  private string(): string {
    const literal = this.take(STRING);
    if (literal === '') throw this.expected('a string');
    return JSON.parse(literal) as string;
  }

  private skip(mark: string): boolean {
    this.take(SPACE);
    const found = this.text[this.offset] === mark;
    if (found) this.offset++;
    return found;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.offset += found.length;
    return found;
  }

  private expected(what: string): SyntaxError {
    return new SyntaxError(`expected ${what} at offset ${this.offset} of the JSON text`);
  }
}
