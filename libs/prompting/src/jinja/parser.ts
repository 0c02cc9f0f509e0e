import { ExpressionParser } from './expression-parser.js';
import { normaliseNewlines, tokenize } from './lexer.js';
import type { BlockFilter, Body, Parameter, Statement } from './nodes.js';
import { TokenStream } from './token-stream.js';

/** The statements of a template. throws TemplateSyntaxFault */
export function parseTemplate(text: string): Body {
  return new StatementParser(new TokenStream(tokenize(normaliseNewlines(text)))).template();
}

/**
 * Reads statements: Jinja's, loop controls, and transformers' `generation`.
 *
 * Templates that load others (include, import, extends, block) are refused: a chat template has no others.
 */
class StatementParser extends ExpressionParser {
  template(): Body {
    const body = this.body();
    if (!this.tokens.is('end')) throw this.tokens.fail(`Encountered unknown tag '${this.tokens.current.text}'.`);
    return body;
  }

  /** Up to the end, or to one of the names, which is left. */
  private body(...ends: readonly string[]): Body {
    return this.tokens.nested(() => {
      const statements: Statement[] = [];
      for (;;) {
        const { offset, text } = this.tokens.current;
        if (this.tokens.is('text')) {
          this.tokens.take();
          statements.push({ kind: 'text', text, offset });
        } else if (this.tokens.is('variable-begin')) {
          this.tokens.take();
          statements.push({ kind: 'output', value: this.tupleOrExpression(), offset });
          this.tokens.expect('variable-end');
        } else if (this.tokens.is('block-begin')) {
          this.tokens.take();
          if (this.tokens.word(...ends) && ends.length > 0) return statements;
          statements.push(this.statement(offset));
          this.tokens.expect('block-end');
        } else {
          if (ends.length > 0) throw this.tokens.unexpected(ends.join("' or '"));
          return statements;
        }
      }
    });
  }

  /** A body and the name that ends it, which is taken. */
  private bodyUntil(...ends: readonly string[]): { readonly body: Body; readonly end: string } {
    this.tokens.expect('block-end');
    const body = this.body(...ends);
    return { body, end: this.tokens.take().text };
  }

  private statement(offset: number): Statement {
    const { text } = this.tokens.expect('name');
    switch (text) {
      case 'if': return this.conditional(offset);
      case 'for': return this.loop(offset);
      case 'set': return this.assignment(offset);
      case 'macro': return this.macro(offset);
      case 'call': return this.callBlock(offset);
      case 'filter': return { kind: 'filter-block', filters: this.filters(), body: this.bodyUntil('endfilter').body, offset };
      case 'with': return this.withBlock(offset);
      case 'generation': return { kind: 'generation', body: this.bodyUntil('endgeneration').body, offset };
      case 'break': case 'continue': return { kind: text, offset };
      default: throw this.tokens.fail(`Encountered unknown tag '${text}'.`);
    }
  }

  private conditional(offset: number): Statement {
    const branches = [];
    let end = 'elif';
    while (end === 'elif') {
      const test = this.tupleOrExpression({ choices: false });
      const found = this.bodyUntil('elif', 'else', 'endif');
      branches.push({ test, body: found.body });
      end = found.end;
    }
    return { kind: 'if', branches, otherwise: end === 'else' ? this.bodyUntil('endif').body : [], offset };
  }

  private loop(offset: number): Statement {
    const target = this.target();
    this.tokens.expect('name', 'in');
    const items = this.tupleOrExpression({ choices: false, ends: ['recursive'] });
    const filter = this.tokens.skip('name', 'if') ? this.expression() : undefined;
    const recursive = this.tokens.skip('name', 'recursive');
    const { body, end } = this.bodyUntil('endfor', 'else');
    return { kind: 'for', target, items, filter, recursive, body, otherwise: end === 'else' ? this.bodyUntil('endfor').body : [], offset };
  }

  private assignment(offset: number): Statement {
    const target = this.target({ namespace: true });
    if (this.tokens.skip('operator', '=')) return { kind: 'set', target, value: this.tupleOrExpression(), offset };
    const filters: readonly BlockFilter[] = this.tokens.operator('|') ? this.filters() : [];
    return { kind: 'set-block', target, filters, body: this.bodyUntil('endset').body, offset };
  }

  private filters(): BlockFilter[] {
    const filters = [this.filter()];
    while (this.tokens.operator('|')) filters.push(this.filter());
    return filters;
  }

  private macro(offset: number): Statement {
    const name = this.tokens.expect('name').text;
    const parameters = this.parameters();
    return { kind: 'macro', name, parameters, body: this.bodyUntil('endmacro').body, offset };
  }

  private callBlock(offset: number): Statement {
    const parameters = this.tokens.operator('(') ? this.parameters() : [];
    const call = this.expression();
    if (call.kind !== 'call') throw this.tokens.fail('expected call');
    return { kind: 'call-block', call, parameters, body: this.bodyUntil('endcall').body, offset };
  }

  private withBlock(offset: number): Statement {
    const assignments = [];
    while (!this.tokens.is('block-end')) {
      if (assignments.length > 0) this.tokens.expect('operator', ',');
      const target = this.target();
      this.tokens.expect('operator', '=');
      assignments.push({ target, value: this.expression() });
    }
    return { kind: 'with', assignments, body: this.bodyUntil('endwith').body, offset };
  }

  private parameters(): Parameter[] {
    this.tokens.expect('operator', '(');
    const parameters: Parameter[] = [];
    while (!this.tokens.operator(')')) {
      if (parameters.length > 0) this.tokens.expect('operator', ',');
      const name = this.tokens.expect('name').text;
      const otherwise = this.tokens.skip('operator', '=') ? this.expression() : undefined;
      if (otherwise === undefined && parameters.some((parameter) => parameter.otherwise !== undefined)) throw this.tokens.fail('non-default argument follows default argument');
      parameters.push({ name, otherwise });
    }
    this.tokens.take();
    return parameters;
  }
}
