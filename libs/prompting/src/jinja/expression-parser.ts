import type { BinaryOperator } from '../python/operators.js';
import { TemplateSyntaxFault, type Token } from './lexer.js';
import { NO_ARGUMENTS, type BlockFilter, type CallArguments, type CompareOperator, type Expression, type Target } from './nodes.js';
import type { TokenStream } from './token-stream.js';

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([['true', true], ['True', true], ['false', false], ['False', false], ['none', null], ['None', null]]);

/**
 * Reads expressions with Jinja's precedences, which are not quite Python's.
 *
 * source jinja2 3.1.6 parser.py
 */
export class ExpressionParser {
  constructor(protected readonly tokens: TokenStream) {}

  expression(): Expression {
    return this.tokens.nested(() => this.choice());
  }

  /** One expression, or a tuple without parentheses. */
  tupleOrExpression(options: { readonly choices: boolean; readonly ends?: readonly string[]; readonly parenthesised?: boolean } = { choices: true }): Expression {
    const { offset } = this.tokens.current;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0 && !this.skipComma()) break;
      if (this.tupleEnds(options.ends)) {
        isTuple ||= items.length > 0;
        break;
      }
      items.push(options.choices ? this.expression() : this.or());
      if (!this.tokens.operator(',')) break;
      isTuple = true;
    }
    const [only] = items;
    if (!isTuple && only !== undefined) return only;
    if (!isTuple && options.parenthesised !== true) throw this.tokens.unexpected('an expression');
    return { kind: 'tuple', items, offset };
  }

  private skipComma(): boolean {
    return this.tokens.skip('operator', ',');
  }

  private tupleEnds(ends: readonly string[] = []): boolean {
    return this.tokens.is('variable-end') || this.tokens.is('block-end') || this.tokens.operator(')') || (ends.length > 0 && this.tokens.word(...ends));
  }

  target(options: { readonly namespace: boolean } = { namespace: false }): Target {
    const { offset } = this.tokens.current;
    if (options.namespace && this.tokens.is('name') && this.tokens.next.kind === 'operator' && this.tokens.next.text === '.') {
      const name = this.tokens.take().text;
      this.tokens.take();
      return { kind: 'namespace', name, attribute: this.tokens.expect('name').text, offset };
    }
    const items = [this.singleTarget()];
    let isTuple = false;
    while (this.skipComma()) {
      isTuple = true;
      if (this.tokens.word('in') || this.tokens.operator('=', ')') || this.tokens.is('block-end')) break;
      items.push(this.singleTarget());
    }
    const [only] = items;
    return isTuple || only === undefined ? { kind: 'tuple', items, offset } : only;
  }

  private singleTarget(): Target {
    if (this.tokens.skip('operator', '(')) {
      const inner = this.tokens.nested(() => this.target());
      this.tokens.expect('operator', ')');
      return inner;
    }
    const { text: name, offset } = this.tokens.expect('name');
    if (CONSTANTS.has(name)) throw this.tokens.fail(`can't assign to '${name}'`);
    return { kind: 'name', name, offset };
  }

  private choice(): Expression {
    let then = this.or();
    while (this.tokens.word('if')) {
      const { offset } = then;
      this.tokens.take();
      const test = this.or();
      const otherwise = this.tokens.skip('name', 'else') ? this.tokens.nested(() => this.choice()) : undefined;
      then = { kind: 'choice', test, then, otherwise, offset };
    }
    return then;
  }

  protected or(): Expression {
    let left = this.and();
    while (this.tokens.skip('name', 'or')) left = { kind: 'or', left, right: this.and(), offset: left.offset };
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.tokens.skip('name', 'and')) left = { kind: 'and', left, right: this.not(), offset: left.offset };
    return left;
  }

  private not(): Expression {
    const { offset } = this.tokens.current;
    if (!this.tokens.skip('name', 'not')) return this.compare();
    return { kind: 'not', operand: this.tokens.nested(() => this.not()), offset };
  }

  private compare(): Expression {
    const first = this.sum();
    const rest: [CompareOperator, Expression][] = [];
    for (let operator = this.compareOperator(); operator !== undefined; operator = this.compareOperator()) rest.push([operator, this.sum()]);
    return rest.length === 0 ? first : { kind: 'compare', first, rest, offset: first.offset };
  }

  private compareOperator(): CompareOperator | undefined {
    if (this.tokens.operator('==', '!=', '<', '<=', '>', '>=')) return this.tokens.take().text as CompareOperator;
    if (this.tokens.skip('name', 'in')) return 'in';
    if (!this.tokens.word('not') || this.tokens.next.text !== 'in') return undefined;
    this.tokens.take();
    this.tokens.take();
    return 'not in';
  }

  private sum(): Expression {
    return this.binary(['+', '-'], () => this.concat());
  }

  private concat(): Expression {
    const first = this.product();
    const parts = [first];
    while (this.tokens.skip('operator', '~')) parts.push(this.product());
    return parts.length === 1 ? first : { kind: 'concat', parts, offset: first.offset };
  }

  private product(): Expression {
    return this.binary(['*', '/', '//', '%'], () => this.binary(['**'], () => this.unary({ filters: true })));
  }

  private binary(operators: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand();
    while (this.tokens.operator(...operators)) left = { kind: 'binary', operator: this.tokens.take().text as BinaryOperator, left, right: operand(), offset: left.offset };
    return left;
  }

  private unary({ filters }: { readonly filters: boolean }): Expression {
    const { offset } = this.tokens.current;
    let node: Expression = this.tokens.operator('-', '+')
      ? { kind: 'sign', sign: this.tokens.take().text as '-' | '+', operand: this.tokens.nested(() => this.unary({ filters: false })), offset }
      : this.primary();
    node = this.postfix(node);
    return filters ? this.filtersAndTests(node) : node;
  }

  private primary(): Expression {
    const token = this.tokens.take();
    const { offset } = token;
    if (token.kind === 'name') {
      const constant = CONSTANTS.get(token.text);
      return constant === undefined ? { kind: 'name', name: token.text, offset } : { kind: 'constant', value: constant, offset };
    }
    if (token.kind === 'string') return { kind: 'constant', value: this.adjacentStrings(token), offset };
    if (token.kind === 'number') return { kind: 'constant', value: token.value ?? 0, offset };
    if (token.kind === 'operator' && token.text === '(') {
      const inner = this.tokens.nested(() => this.tupleOrExpression({ choices: true, parenthesised: true }));
      this.tokens.expect('operator', ')');
      return inner;
    }
    if (token.kind === 'operator' && token.text === '[') return { kind: 'list', items: this.listed(']', () => this.expression()), offset };
    if (token.kind === 'operator' && token.text === '{') return { kind: 'dict', entries: this.listed('}', () => this.entry()), offset };
    throw new TemplateSyntaxFault(token.kind === 'end' ? 'unexpected end of template' : `unexpected '${token.text === '' ? token.kind : token.text}'`, offset);
  }

  private adjacentStrings(first: Token): string {
    let { text } = first;
    while (this.tokens.is('string')) text += this.tokens.take().text;
    return text;
  }

  private listed<T>(closer: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.tokens.operator(closer)) {
      if (items.length > 0) this.tokens.expect('operator', ',');
      if (this.tokens.operator(closer)) break;
      items.push(item());
    }
    this.tokens.take();
    return items;
  }

  private entry(): readonly [Expression, Expression] {
    const key = this.expression();
    this.tokens.expect('operator', ':');
    return [key, this.expression()];
  }

  private postfix(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.tokens.operator('.', '[')) node = this.subscript(node);
      else if (this.tokens.operator('(')) node = { kind: 'call', callee: node, args: this.callArguments(), offset: node.offset };
      else return node;
    }
  }

  private filtersAndTests(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.tokens.operator('|')) node = { kind: 'filter', operand: node, ...this.filter() };
      else if (this.tokens.word('is')) node = this.test(node);
      else if (this.tokens.operator('(')) node = { kind: 'call', callee: node, args: this.callArguments(), offset: node.offset };
      else return node;
    }
  }

  private subscript(object: Expression): Expression {
    const { offset } = object;
    if (this.tokens.take().text === '.') {
      const token = this.tokens.take();
      if (token.kind === 'name') return { kind: 'attribute', object, name: token.text, offset };
      if (token.kind !== 'number' || typeof token.value !== 'number') throw this.tokens.fail('expected name or number');
      return { kind: 'item', object, item: { kind: 'constant', value: token.value, offset: token.offset }, offset };
    }
    const start = this.tokens.operator(':') ? undefined : this.expression();
    if (!this.tokens.operator(':')) {
      this.tokens.expect('operator', ']');
      return { kind: 'item', object, item: start as Expression, offset };
    }
    this.tokens.take();
    const stop = this.tokens.operator(':', ']') ? undefined : this.expression();
    const step = this.tokens.skip('operator', ':') && !this.tokens.operator(']') ? this.expression() : undefined;
    this.tokens.expect('operator', ']');
    return { kind: 'slice', object, start, stop, step, offset };
  }

  /** `| name(args)`, the bar included where it stands. */
  protected filter(): BlockFilter {
    this.tokens.skip('operator', '|');
    const { offset } = this.tokens.current;
    const name = this.dottedName();
    return { name, args: this.tokens.operator('(') ? this.callArguments() : NO_ARGUMENTS, offset };
  }

  private dottedName(): string {
    let name = this.tokens.expect('name').text;
    while (this.tokens.skip('operator', '.')) name += `.${this.tokens.expect('name').text}`;
    return name;
  }

  private test(operand: Expression): Expression {
    this.tokens.take();
    const negated = this.tokens.skip('name', 'not');
    const { offset } = this.tokens.current;
    const name = this.dottedName();
    const test: Expression = { kind: 'test', name, operand, args: this.testArguments(), offset };
    return negated ? { kind: 'not', operand: test, offset } : test;
  }

  /** In parentheses, or one operand without them. */
  private testArguments(): CallArguments {
    if (this.tokens.operator('(')) return this.callArguments();
    const begins = this.tokens.is('name') || this.tokens.is('string') || this.tokens.is('number') || this.tokens.operator('[', '{');
    if (!begins || this.tokens.word('else', 'or', 'and', 'if')) return NO_ARGUMENTS;
    if (this.tokens.word('is')) throw this.tokens.fail('You cannot chain multiple tests with is');
    return { ...NO_ARGUMENTS, positional: [this.postfix(this.primary())] };
  }

  protected callArguments(): CallArguments {
    this.tokens.expect('operator', '(');
    const positional: Expression[] = [];
    const named: [string, Expression][] = [];
    let rest: Expression | undefined;
    let namedRest: Expression | undefined;
    this.listed(')', () => {
      if (this.tokens.skip('operator', '**')) namedRest = this.expression();
      else if (this.tokens.skip('operator', '*')) rest = this.expression();
      else if (this.tokens.is('name') && this.tokens.next.kind === 'operator' && this.tokens.next.text === '=') {
        const name = this.tokens.take().text;
        this.tokens.take();
        named.push([name, this.expression()]);
      } else {
        if (named.length > 0 || namedRest !== undefined || rest !== undefined) throw this.tokens.fail('invalid syntax for function call expression');
        positional.push(this.expression());
      }
    });
    return { positional, named, rest, namedRest };
  }
}
