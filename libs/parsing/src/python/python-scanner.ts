import { escapeJson } from '../json/json-text.js';
import { endOfPlainText, escapeTable } from '../source/plain-text.js';
import { afterSpace, crossSpace, isSpace } from '../source/scan.js';
import type { Source } from '../source/source.js';

/** What a scanner tells its owner. */
export interface PythonOutput {
  text(part: string): void;
  note(code: string): void;
}

/** A word or number longer than this is no literal. */
const WORD_MAX = 4096;
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null', true: 'true', false: 'false', null: 'null' };
const SPECIAL_FLOATS = /^[+-]?(?:nan|inf|infinity)$/i;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\u000b', a: '\u0007', '0': '\0', '\\': '\\', "'": "'", '"': '"', '\n': '' };

/** Escapes that JSON has too, with the same meaning. */
const SHARED_ESCAPES = escapeTable('"\\bfnrt');
const NO_ESCAPES = escapeTable('');

type Bracket = { readonly close: ')' | ']' | '}'; readonly kind: 'list' | 'dict'; readonly json: string };
type Expect = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'string';

/**
 * Scans one Python literal that may be cut anywhere, and passes it on as JSON text.
 *
 * Strings with their prefixes and triple quotes, numbers, True, False, None, lists, tuples, sets and dicts. Nothing is evaluated.
 */
export class PythonScanner {
  private readonly brackets: Bracket[] = [];
  private expect: Expect = 'value';
  private quote = '"';
  private raw = false;
  private isKey = false;
  private afterString = false;

  constructor(private readonly source: Source, private readonly output: PythonOutput, private readonly depthMax: number) {}

  get insideString(): boolean {
    return this.expect === 'string';
  }

  /** Closes what lacks only brackets; says whether nothing else was missing. */
  close(): boolean {
    if (this.expect !== 'comma-or-end' && this.expect !== 'value-or-end' && this.expect !== 'key-or-end') return false;
    this.endString();
    while (this.brackets.length > 0) this.output.text(this.brackets.pop()?.json ?? '');
    return true;
  }

  run(): 'more' | 'done' | 'unexpected' {
    for (;;) {
      const result = this.expect === 'string' ? this.scanString() : this.scanStructure();
      if (result !== undefined) return result;
    }
  }

  private scanStructure(): 'more' | 'done' | 'unexpected' | undefined {
    const { source } = this;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const character = source.text.charAt(source.position);
    if (this.afterString && this.expect === 'comma-or-end' && this.looksLikeString() !== 'no') {
      // Adjacent strings are one.
      if (this.looksLikeString() === 'more') return 'more';
      return this.openString();
    }
    this.endString();
    if (this.expect === 'comma-or-end') return this.brackets.length === 0 ? 'done' : this.scanSeparator(character);
    if (this.expect === 'colon') {
      if (character !== ':') return 'unexpected';
      source.position++;
      this.output.text(': ');
      this.expect = 'value';
      return undefined;
    }
    const bracket = this.brackets.at(-1);
    if (bracket !== undefined && character === bracket.close && (this.expect === 'value-or-end' || this.expect === 'key-or-end')) return this.closeBracket();
    return this.scanValue(character);
  }

  private scanSeparator(character: string): 'more' | 'unexpected' | undefined {
    const { source } = this;
    const bracket = this.brackets.at(-1);
    if (character === bracket?.close) return this.closeBracket();
    if (character !== ',') return 'unexpected';
    const next = crossSpace(source, source.position + 1);
    if (next === undefined) return 'more';
    source.position++;
    if (source.text.charAt(next) === bracket?.close) return undefined;
    this.output.text(', ');
    this.expect = bracket?.kind === 'dict' ? 'key' : 'value';
    return undefined;
  }

  private closeBracket(): undefined {
    this.source.position++;
    this.output.text(this.brackets.pop()?.json ?? '');
    this.expect = 'comma-or-end';
    return undefined;
  }

  private scanValue(character: string): 'more' | 'unexpected' | undefined {
    this.isKey = this.expect === 'key' || this.expect === 'key-or-end';
    const string = this.looksLikeString();
    if (string === 'more') return 'more';
    if (string === 'yes') return this.openString();
    if (!this.isKey && '[({'.includes(character)) return this.openBracket(character);
    return this.scanWord();
  }

  private openBracket(character: string): 'unexpected' | undefined {
    if (this.brackets.length >= this.depthMax) return 'unexpected';
    this.source.position++;
    const isDict = character === '{';
    this.brackets.push(isDict ? { close: '}', kind: 'dict', json: '}' } : { close: character === '(' ? ')' : ']', kind: 'list', json: ']' });
    this.output.text(isDict ? '{' : '[');
    this.expect = isDict ? 'key-or-end' : 'value-or-end';
    return undefined;
  }

  /** Whether a string begins at the cursor, with up to two prefix letters; `more` when three quotes may still follow. */
  private looksLikeString(): 'yes' | 'no' | 'more' {
    const { text, position, final } = this.source;
    const prefix = /^[rRbBuUfF]{0,2}/.exec(text.slice(position, position + 2))?.[0] ?? '';
    const at = position + prefix.length;
    if (at + 3 > text.length && !final) {
      const rest = text.slice(at);
      if (rest === '' || rest === "'" || rest === '"' || rest === "''" || rest === '""') return 'more';
    }
    return text.charAt(at) === '"' || text.charAt(at) === "'" ? 'yes' : 'no';
  }

  private openString(): undefined {
    const { text } = this.source;
    const prefix = /^[rRbBuUfF]{0,2}/.exec(text.slice(this.source.position, this.source.position + 2))?.[0] ?? '';
    const at = this.source.position + prefix.length;
    const quote = text.charAt(at);
    this.raw = /r/i.test(prefix);
    this.quote = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
    this.source.position = at + this.quote.length;
    if (!this.afterString) this.output.text('"');
    this.afterString = true;
    this.expect = 'string';
    return undefined;
  }

  private endString(): void {
    if (!this.afterString) return;
    this.output.text('"');
    this.afterString = false;
  }

  private scanString(): 'more' | undefined {
    const { source } = this;
    const { text } = source;
    const first = this.quote.charCodeAt(0);
    const i = endOfPlainText(text, source.position, first, this.raw ? NO_ESCAPES : SHARED_ESCAPES);
    this.pass(i);
    if (i === text.length) return 'more';
    const code = text.charCodeAt(i);
    if (code === 92) return this.scanEscape(i);
    if (code !== first) {
      this.take(i + 1);
      return undefined;
    }
    if (this.quote.length === 3 && !text.startsWith(this.quote, i)) {
      if (i + 3 > text.length && !source.final) return 'more';
      this.take(i + 1);
      return undefined;
    }
    return this.closeString(i);
  }

  /** A quote closes the string when what may follow one follows; else the model forgot to escape it. */
  private closeString(index: number): 'more' | undefined {
    const { source } = this;
    const next = crossSpace(source, index + this.quote.length);
    if (next === undefined) return 'more';
    const follower = source.text.charAt(next);
    const closes = follower === '' || ',)]}:'.includes(follower) || (follower === '"' || follower === "'") && next > index + this.quote.length;
    if (!closes && this.quote.length === 1) {
      this.output.note('unescaped-quote');
      this.take(index + 1);
      return undefined;
    }
    source.position = index + this.quote.length;
    this.expect = this.isKey ? 'colon' : 'comma-or-end';
    if (this.isKey) this.endString();
    return undefined;
  }

  private scanEscape(index: number): 'more' | undefined {
    const { source } = this;
    const next = source.text.charAt(index + 1);
    if (next === '') return source.final ? this.takeAll(index + 1) : 'more';
    if (this.raw) {
      this.take(index + 2);
      return undefined;
    }
    const length = { x: 2, u: 4, U: 8 }[next];
    if (length !== undefined) return this.scanHex(index, length);
    const simple = Object.hasOwn(SIMPLE_ESCAPES, next) ? SIMPLE_ESCAPES[next] : undefined;
    // Python keeps the backslash of an escape that it does not know.
    this.output.text(escapeJson(simple ?? `\\${next}`));
    source.position = index + 2;
    return undefined;
  }

  private scanHex(index: number, length: number): 'more' | undefined {
    const { source } = this;
    const digits = source.text.slice(index + 2, index + 2 + length);
    if (digits.length < length && !source.final && /^[0-9a-fA-F]*$/.test(digits)) return 'more';
    const point = new RegExp(`^[0-9a-fA-F]{${String(length)}}$`).test(digits) ? parseInt(digits, 16) : -1;
    if (point < 0 || point > 0x10ffff) {
      this.output.text('\\\\');
      source.position = index + 1;
    } else {
      this.output.text(point >= 0xd800 && point <= 0xdfff ? `\\u${digits.slice(-4)}` : escapeJson(String.fromCodePoint(point)));
      source.position = index + 2 + length;
    }
    return undefined;
  }

  /** Text that is JSON as it stands. */
  private pass(index: number): void {
    const { source } = this;
    if (index === source.position) return;
    const part = source.text.slice(source.position, index);
    source.position = index;
    this.output.text(part);
  }

  private takeAll(index: number): 'more' {
    this.take(index);
    return 'more';
  }

  private take(index: number): void {
    const { source } = this;
    if (index <= source.position) return;
    const part = source.text.slice(source.position, index);
    source.position = index;
    this.output.text(escapeJson(part));
  }

  private scanWord(): 'more' | 'unexpected' | undefined {
    const { source } = this;
    const { text } = source;
    let end = source.position;
    while (end < text.length && end - source.position <= WORD_MAX && !isSpace(text.charCodeAt(end)) && !',)]}:=([{"\'<'.includes(text.charAt(end))) end++;
    if (end === text.length && !source.final) return end - source.position > WORD_MAX ? 'unexpected' : 'more';
    const json = wordJson(text.slice(source.position, end));
    if (json === undefined) return 'unexpected';
    source.position = end;
    if (json.note !== undefined) this.output.note(json.note);
    this.output.text(this.isKey && !json.text.startsWith('"') ? `"${json.text}"` : json.text);
    this.expect = this.isKey ? 'colon' : 'comma-or-end';
    return undefined;
  }
}

/** JSON for a Python number or name; lexemes stay where JSON has them. */
function wordJson(word: string): { readonly text: string; readonly note?: string } | undefined {
  if (Object.hasOwn(WORDS, word)) return { text: WORDS[word] ?? 'null' };
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) && Number.isFinite(Number(word.slice(0, 400)))) return { text: word };
  // Python reads 1e999 as infinity, which JSON has not.
  if (/^[-+]?[\d._]+[eE][+-]?\d+$/.test(word) && !Number.isFinite(Number(word.replaceAll('_', '')))) return undefined;
  if (SPECIAL_FLOATS.test(word)) return { text: 'null', note: 'foreign-word' };
  const plain = word.replaceAll('_', '');
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(plain);
  if (parts !== null && /\d/.test(plain)) {
    const [, sign = '', whole = '', fraction, exponent = ''] = parts;
    return { text: `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === undefined ? '' : `.${fraction || '0'}`}${exponent}`, note: 'number-spelling' };
  }
  if (/^-?0[xXoObB][0-9a-fA-F]+$/.test(plain)) {
    try {
      return { text: `${plain.startsWith('-') ? '-' : ''}${BigInt(plain.replace('-', '')).toString()}`, note: 'number-spelling' };
    } catch {
      return undefined;
    }
  }
  return undefined;
}
