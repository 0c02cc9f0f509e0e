import { TemplateSyntaxFault, type Token } from './lexer.js';

/** Deeper nesting than any template has; the parser recurses. */
const DEEPEST_NESTING = 200;

/** Reads tokens one by one; errors name what was expected and what was found. */
export class TokenStream {
  private index = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get current(): Token {
    return this.tokens[Math.min(this.index, this.tokens.length - 1)] as Token;
  }

  get next(): Token {
    return this.tokens[Math.min(this.index + 1, this.tokens.length - 1)] as Token;
  }

  take(): Token {
    const token = this.current;
    this.index++;
    return token;
  }

  is(kind: Token['kind'], ...texts: readonly string[]): boolean {
    const { current } = this;
    return current.kind === kind && (texts.length === 0 || texts.includes(current.text));
  }

  operator(...texts: readonly string[]): boolean {
    return this.is('operator', ...texts);
  }

  word(...texts: readonly string[]): boolean {
    return this.is('name', ...texts);
  }

  skip(kind: Token['kind'], text: string): boolean {
    const found = this.is(kind, text);
    if (found) this.index++;
    return found;
  }

  expect(kind: Token['kind'], text?: string): Token {
    if (text === undefined ? this.is(kind) : this.is(kind, text)) return this.take();
    throw this.unexpected(text ?? kind);
  }

  unexpected(expected: string): TemplateSyntaxFault {
    const { current } = this;
    if (current.kind === 'end') return new TemplateSyntaxFault(`unexpected end of template, expected '${expected}'.`, current.offset);
    return new TemplateSyntaxFault(`expected token '${expected}', got '${current.text === '' ? current.kind : current.text}'`, current.offset);
  }

  fail(message: string): TemplateSyntaxFault {
    return new TemplateSyntaxFault(message, this.current.offset);
  }

  nested<T>(parse: () => T): T {
    if (++this.depth > DEEPEST_NESTING) throw this.fail(`nested more than ${DEEPEST_NESTING} levels deep`);
    const result = parse();
    this.depth--;
    return result;
  }
}
