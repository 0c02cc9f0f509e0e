import { endOfPlainText, escapeTable } from '../source/plain-text.js';
import { crossSpace, isSpace } from '../source/scan.js';
import type { Source } from '../source/source.js';

/** `unexpected`: the value is broken off at a character that no JSON value can have there; `too-deep`: past the depth limit. */
export type ScanResult = 'more' | 'done' | 'unexpected' | 'too-deep';

/** Changes what a string value of the outermost object becomes, once it is whole. */
export interface StringConverter {
  /** For a member's key: what its string value is turned into, or undefined when the string stays. */
  converterFor(key: string): ((json: string) => string) | undefined;
}

/** What a scanner tells its owner. */
export interface JsonOutput {
  /** JSON text of the value, in order; all of it, joined, is the value. */
  text(part: string): void;
  /** A repair that was made, in kebab-case. */
  note(code: string): void;
}

type Expect = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'string';

const QUOTE = 34;
const APOSTROPHE = 39;
const BACKSLASH = 92;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A number or word longer than this is no JSON. */
const WORD_MAX = 4096;
const SHORT_ESCAPES = escapeTable('"\\/bfnrt');
/** What other languages print for a JSON word, and what it becomes. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', NaN: 'null', nan: 'null', Infinity: 'null', '-Infinity': 'null', inf: 'null', '-inf': 'null', undefined: 'null' };

/**
 * Scans one JSON value that may be cut anywhere, and passes its text on as it comes.
 *
 * Number lexemes, key order, escapes and white space stay as written. What models often get wrong is repaired and noted: raw control
 * characters, quotes and backslashes inside strings, single quotes, Python's words, a comma before a closer.
 */
export class JsonScanner {
  /** Open brackets, innermost last, as the characters that close them. */
  private readonly closers: number[] = [];
  private expect: Expect = 'value';
  /** Index up to which the window has been read; what lies between the source's position and it is passed on in one piece. */
  private cursor = 0;
  private quote = QUOTE;
  private isKey = false;

  /** Text of the string being read, when it is a key, or a value that will be converted. */
  private captured: string[] | undefined;
  private convert: ((json: string) => string) | undefined;
  private lastKey = '';

  constructor(private readonly source: Source, private readonly output: JsonOutput, private readonly depthMax: number, private readonly converter?: StringConverter) {}

  /** Brackets that are still open, as the text that would close them, when nothing else is missing; else undefined. */
  get missingClosers(): string | undefined {
    if (this.expect === 'string' || this.expect === 'colon' || this.expect === 'value' || this.expect === 'key') return undefined;
    return this.closers.length === 0 && this.expect !== 'comma-or-end' ? undefined : String.fromCharCode(...this.closers.slice().reverse());
  }

  get insideString(): boolean {
    return this.expect === 'string';
  }

  run(): ScanResult {
    this.cursor = this.source.position;
    for (;;) {
      const result = this.expect === 'string' ? this.scanString() : this.scanStructure();
      if (result !== undefined) {
        this.flush();
        return result;
      }
    }
  }

  private pass(index: number): void {
    this.cursor = index;
  }

  private flush(): void {
    const { source } = this;
    if (this.cursor === source.position) return;
    const part = source.text.slice(source.position, this.cursor);
    source.position = this.cursor;
    this.say(part);
  }

  private replace(length: number, replacement: string, note: string): void {
    this.flush();
    this.source.position += length;
    this.cursor = this.source.position;
    if (replacement !== '') this.say(replacement);
    this.output.note(note);
  }

  private say(text: string): void {
    if (this.captured === undefined) this.output.text(text);
    else this.captured.push(text);
  }

  /** From here to `release`, text is kept back. */
  private capture(isKey: boolean): void {
    if (this.converter === undefined || this.closers.length !== 1 || this.closers[0] !== 125) return;
    this.convert = isKey ? undefined : this.converter.converterFor(this.lastKey);
    if (!isKey && this.convert === undefined) return;
    this.flush();
    this.captured = [];
  }

  private release(): void {
    if (this.captured === undefined) return;
    this.flush();
    const json = this.captured.join('');
    this.captured = undefined;
    if (this.isKey) this.lastKey = JSON.parse(json) as string;
    this.output.text(this.convert?.(json) ?? json);
  }

  private scanString(): ScanResult | undefined {
    const { text } = this.source;
    const index = endOfPlainText(text, this.cursor, this.quote, SHORT_ESCAPES);
    this.pass(index);
    if (index === text.length) return 'more';
    const code = text.charCodeAt(index);
    if (code === this.quote) return this.closeString(index);
    if (code === BACKSLASH) return this.scanEscape(index);
    if (code === QUOTE) this.replace(1, '\\"', 'single-quotes');
    else this.replace(1, escapeControl(code), 'raw-control-character');
    return undefined;
  }

  /** A quote closes the string when what may follow a string follows; else it is a quote that the model forgot to escape. */
  private closeString(index: number): ScanResult | undefined {
    const { source } = this;
    const { text } = source;
    const next = crossSpace(source, index + 1);
    if (next === undefined) return 'more';
    const follower = next < text.length ? text.charCodeAt(next) : -1;
    if (!this.mayFollowString(follower)) {
      this.replace(1, this.quote === QUOTE ? '\\"' : "'", 'unescaped-quote');
      return undefined;
    }
    if (this.quote === QUOTE) this.pass(index + 1);
    else this.replace(1, '"', 'single-quotes');
    this.release();
    this.expect = this.isKey ? 'colon' : 'comma-or-end';
    return this.closers.length === 0 ? 'done' : undefined;
  }

  private mayFollowString(code: number): boolean {
    if (code === -1 || this.closers.length === 0) return true;
    if (this.isKey) return code === 58;
    // `<` and `[` begin a format's closer, which may stand where brackets were forgotten.
    return code === 44 || code === 125 || code === 93 || code === 60 || code === 91;
  }

  private scanEscape(index: number): ScanResult | undefined {
    const { text, final } = this.source;
    if (index + 1 >= text.length) return final ? this.endInString() : 'more';
    const code = text.charCodeAt(index + 1);
    if (code === 117) {
      if (/^[0-9a-fA-F]{4}$/.test(text.slice(index + 2, index + 6))) this.pass(index + 6);
      else if (index + 6 > text.length && !final) return 'more';
      else this.replace(1, '\\\\', 'bad-escape');
    } else if (code === APOSTROPHE) this.replace(2, "'", 'bad-escape');
    else this.replace(1, '\\\\', 'bad-escape');
    return undefined;
  }

  private endInString(): ScanResult {
    this.pass(this.source.text.length);
    return 'more';
  }

  private scanStructure(): ScanResult | undefined {
    const { source } = this;
    const index = afterJsonSpace(source.text, this.cursor);
    this.pass(index);
    if (index === source.text.length) return 'more';
    const code = source.text.charCodeAt(index);
    if (isSpace(code)) {
      this.replace(1, ' ', 'foreign-space');
      return undefined;
    }
    switch (this.expect) {
      case 'value':
      case 'value-or-end':
        if (code === 93 && this.expect === 'value-or-end') return this.close(index, code);
        return this.scanValue(index, code);
      case 'key':
      case 'key-or-end':
        if (code === 125 && this.expect === 'key-or-end') return this.close(index, code);
        return code === QUOTE || code === APOSTROPHE ? this.openString(index, code, true) : 'unexpected';
      case 'colon':
        if (code !== 58) return 'unexpected';
        this.pass(index + 1);
        this.expect = 'value';
        return undefined;
      default:
        return code === 44 ? this.scanComma(index) : code === 125 || code === 93 ? this.close(index, code) : 'unexpected';
    }
  }

  private scanValue(index: number, code: number): ScanResult | undefined {
    if (code === 123 || code === 91) {
      if (this.closers.length >= this.depthMax) return 'too-deep';
      this.closers.push(code + 2);
      this.pass(index + 1);
      this.expect = code === 123 ? 'key-or-end' : 'value-or-end';
      return undefined;
    }
    if (code === QUOTE || code === APOSTROPHE) return this.openString(index, code, false);
    return this.scanWord(index);
  }

  private openString(index: number, code: number, isKey: boolean): undefined {
    this.quote = code;
    this.isKey = isKey;
    this.capture(isKey);
    if (code === QUOTE) this.pass(index + 1);
    else this.replace(1, '"', 'single-quotes');
    this.expect = 'string';
    return undefined;
  }

  private scanComma(index: number): ScanResult | undefined {
    const { source } = this;
    const next = crossSpace(source, index + 1);
    if (next === undefined) return 'more';
    const closer = source.text.charCodeAt(next);
    if (closer === this.closers.at(-1)) {
      this.replace(1, '', 'trailing-comma');
      return undefined;
    }
    this.pass(index + 1);
    this.expect = this.closers.at(-1) === 125 ? 'key' : 'value';
    return undefined;
  }

  private close(index: number, code: number): ScanResult | undefined {
    if (this.closers.at(-1) !== code) return 'unexpected';
    this.closers.pop();
    this.pass(index + 1);
    this.expect = 'comma-or-end';
    return this.closers.length === 0 ? 'done' : undefined;
  }

  private scanWord(index: number): ScanResult | undefined {
    const { text, final } = this.source;
    let end = index;
    while (end < text.length && end - index <= WORD_MAX && isWordCode(text.charCodeAt(end))) end++;
    if (end - index > WORD_MAX) return 'unexpected';
    if (end === text.length && !final) return 'more';
    const word = text.slice(index, end);
    if (word === 'true' || word === 'false' || word === 'null' || NUMBER.test(word)) this.pass(end);
    else {
      const foreign = Object.hasOwn(FOREIGN_WORDS, word) ? FOREIGN_WORDS[word] : undefined;
      if (foreign === undefined) return 'unexpected';
      this.replace(word.length, foreign, 'foreign-word');
    }
    this.expect = 'comma-or-end';
    return this.closers.length === 0 ? 'done' : undefined;
  }
}

function afterJsonSpace(text: string, index: number): number {
  let i = index;
  for (let code = text.charCodeAt(i); code === 32 || code === 10 || code === 13 || code === 9; code = text.charCodeAt(i)) i++;
  return i;
}

function isWordCode(code: number): boolean {
  return !isSpace(code) && code !== 44 && code !== 125 && code !== 93 && code !== 123 && code !== 91 && code !== 58 && code !== 34 && code !== 60;
}

function escapeControl(code: number): string {
  switch (code) {
    case 10: return '\\n';
    case 13: return '\\r';
    case 9: return '\\t';
    default: return `\\u${code.toString(16).padStart(4, '0')}`;
  }
}
