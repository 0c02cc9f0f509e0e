import { isSpace, PYTHON_SPACE, strip } from '../python/text.js';
import { Float, type PythonErrorType } from '../python/values.js';

export type TokenKind = 'text' | 'block-begin' | 'block-end' | 'variable-begin' | 'variable-end' | 'name' | 'string' | 'number' | 'operator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
  /** Of a number. */
  readonly value?: number | bigint | Float;
}

/** What is wrong with a template's text, and where. */
export class TemplateSyntaxFault extends Error {
  readonly type: PythonErrorType = 'TemplateSyntaxError';

  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

/** A template's text with the newlines that Jinja reads, without its last one. */
export function normaliseNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}

const SPACE = `[${PYTHON_SPACE}]`;
const OPENER = new RegExp(`\\{%([-+]?)${SPACE}*raw${SPACE}*(?:-%\\}${SPACE}*|%\\})|\\{([%#{])([-+]?)`, 'g');
const RAW_END = new RegExp(`\\{%([-+]?)${SPACE}*endraw${SPACE}*(?:\\+%\\}|-%\\}${SPACE}*|%\\}\\n?)`, 'g');
const COMMENT_END = new RegExp(`\\+#\\}|-#\\}${SPACE}*|#\\}\\n?`, 'g');
const BLOCK_END = new RegExp(`\\+%\\}|-%\\}${SPACE}*|%\\}\\n?`, 'y');
const VARIABLE_END = new RegExp(`-\\}\\}${SPACE}*|\\}\\}`, 'y');
const SPACES = new RegExp(`${SPACE}+`, 'y');
const FLOAT = /(?<!\.)[0-9]+(?:_[0-9]+)*(?:(?:\.[0-9]+(?:_[0-9]+)*)?[eE][-+]?[0-9]+(?:_[0-9]+)*|\.[0-9]+(?:_[0-9]+)*)/y;
const INTEGER = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?[0-9])*|0(?:_?0)*/y;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const STRING = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
const CLOSER_OF: ReadonlyMap<string, string> = new Map([['(', ')'], ['[', ']'], ['{', '}']]);

/**
 * The tokens of a template, as Jinja cuts them with trim_blocks and lstrip_blocks.
 *
 * source jinja2 3.1.6 lexer.py
 */
export function tokenize(source: string): Token[] {
  return new Lexer(source).tokens();
}

class Lexer {
  private readonly found: Token[] = [];
  private offset = 0;
  /** Whether a tag here would be the first thing of its line. */
  private lineStarts = true;

  constructor(private readonly source: string) {}

  tokens(): Token[] {
    while (this.offset < this.source.length) this.root();
    this.push('end', '', this.source.length);
    return this.found;
  }

  private root(): void {
    OPENER.lastIndex = this.offset;
    const opener = OPENER.exec(this.source);
    if (opener === null) {
      this.push('text', this.source.slice(this.offset), this.offset);
      this.offset = this.source.length;
      return;
    }
    const [whole, rawSign, kind, sign = rawSign ?? ''] = opener;
    this.text(opener.index, sign, kind !== '{');
    this.offset = opener.index + whole.length;
    this.lineStarts = whole.endsWith('\n');
    if (kind === undefined) this.raw();
    else if (kind === '#') this.skipComment(opener.index);
    else if (kind === '%') this.inside('block-begin', 'block-end', BLOCK_END, opener.index);
    else this.inside('variable-begin', 'variable-end', VARIABLE_END, opener.index);
  }

  /** The text before a tag, without what the tag strips: all white space, or the tag's own indentation. */
  private text(end: number, sign: string, stripsIndentation: boolean): void {
    let text = this.source.slice(this.offset, end);
    if (sign === '-') text = strip(`x${text}`).slice(1);
    else if (sign !== '+' && stripsIndentation) {
      const line = text.lastIndexOf('\n') + 1;
      if ((line > 0 || this.lineStarts) && line < text.length && Array.from(text.slice(line)).every(isSpace)) text = text.slice(0, line);
    }
    if (text !== '') this.push('text', text, this.offset);
  }

  private raw(): void {
    RAW_END.lastIndex = this.offset;
    const end = RAW_END.exec(this.source);
    if (end === null) throw new TemplateSyntaxFault('Missing end of raw directive', this.offset);
    this.text(end.index, end[1] ?? '', true);
    this.jump(end.index, end[0]);
  }

  private skipComment(start: number): void {
    COMMENT_END.lastIndex = this.offset;
    const end = COMMENT_END.exec(this.source);
    if (end === null) throw new TemplateSyntaxFault('Missing end of comment tag', start);
    this.jump(end.index, end[0]);
  }

  private jump(index: number, matched: string): void {
    this.offset = index + matched.length;
    this.lineStarts = matched.endsWith('\n');
  }

  private inside(begin: TokenKind, end: TokenKind, closing: RegExp, start: number): void {
    this.push(begin, '', start);
    const open: string[] = [];
    for (;;) {
      if (this.offset >= this.source.length) throw new TemplateSyntaxFault(`unexpected end of template, expected 'end of ${begin === 'block-begin' ? 'statement block' : 'print statement'}'.`, start);
      if (this.match(SPACES) !== undefined) continue;
      const closed = open.length === 0 ? this.match(closing) : undefined;
      if (closed !== undefined) {
        this.push(end, '', this.offset - closed.length);
        this.lineStarts = closed.endsWith('\n');
        return;
      }
      this.expressionToken(open);
    }
  }

  private expressionToken(open: string[]): void {
    const start = this.offset;
    const float = this.match(FLOAT);
    if (float !== undefined) return void this.found.push({ kind: 'number', text: float, offset: start, value: new Float(Number(float.replaceAll('_', ''))) });
    const integer = this.match(INTEGER);
    if (integer !== undefined) return void this.found.push({ kind: 'number', text: integer, offset: start, value: toInteger(integer.replaceAll('_', '')) });
    const name = this.match(NAME);
    if (name !== undefined) return this.push('name', name, start);
    const string = this.match(STRING);
    if (string !== undefined) return this.push('string', unescape(string.slice(1, -1), start), start);
    const operator = this.match(OPERATOR);
    if (operator === undefined) throw new TemplateSyntaxFault(`unexpected char '${this.source[start] ?? ''}'`, start);
    const closer = CLOSER_OF.get(operator);
    if (closer !== undefined) open.push(closer);
    else if (')]}'.includes(operator)) {
      const expected = open.pop();
      if (expected === undefined) throw new TemplateSyntaxFault(`unexpected '${operator}'`, start);
      if (expected !== operator) throw new TemplateSyntaxFault(`unexpected '${operator}', expected '${expected}'`, start);
    }
    this.push('operator', operator, start);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  private push(kind: TokenKind, text: string, offset: number): void {
    this.found.push({ kind, text, offset });
  }
}

function toInteger(text: string): number | bigint {
  const value = BigInt(/^0+$/.test(text) ? '0' : text);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(.))/gsu;
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([['n', '\n'], ['t', '\t'], ['r', '\r'], ['a', '\x07'], ['b', '\b'], ['f', '\f'], ['v', '\v'], ["'", "'"], ['"', '"'], ['\\', '\\'], ['\n', '']]);

/** Python's escapes; an unknown one keeps its backslash. */
function unescape(text: string, offset: number): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (whole, x?: string, u?: string, long?: string, octal?: string, other?: string) => {
    const hexadecimal = x ?? u ?? long;
    if (hexadecimal !== undefined) {
      const code = parseInt(hexadecimal, 16);
      if (code > 0x10ffff) throw new TemplateSyntaxFault('illegal Unicode character in an escape', offset);
      return String.fromCodePoint(code);
    }
    if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
    if (other !== undefined && 'xuUN'.includes(other)) throw new TemplateSyntaxFault(`truncated \\${other} escape`, offset);
    return SIMPLE_ESCAPES.get(other ?? '') ?? whole;
  });
}
