import type { BodyReader } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { quoteJson } from '../json/json-text.js';
import { typeValue } from '../schema/argument-types.js';
import { memberSchema, schemaTypes } from '../schema/schema-walk.js';
import { lookLiteral } from '../source/scan.js';

interface Element {
  readonly name: string;
  readonly schema: unknown;
  readonly texts: string[];
  readonly children: { readonly name: string; readonly json: string }[];
}

/**
 * Reads arguments that are tags of their own names, each behind a prefix; members and list items are tags again.
 *
 * MiniMax M3 marks every tag with a namespace token, so that `</body>` in a value is data. Tags without the prefix are text.
 */
export class NestedTagsReader implements BodyReader {
  private readonly stack: Element[] = [];
  private readonly root: Element;
  private ended = false;

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt, private readonly prefix: string, private readonly callClose: string) {
    this.root = { name: '', schema: context.tools.schemaOf(attempt.name), texts: [], children: [] };
    this.stack.push(this.root);
  }

  run(): 'more' | 'done' | 'malformed' {
    const { source } = this.context;
    for (;;) {
      const at = source.text.indexOf(this.prefix, source.position);
      if (at < 0) {
        // A part of the prefix may end the window.
        this.take(source.final ? source.text.length : this.heldFrom());
        return 'more';
      }
      this.take(at);
      const close = lookLiteral(source, at, this.callClose);
      if (close === 'yes' && this.stack.length === 1) return this.finish();
      if (close === 'yes') {
        this.attempt.note('missing-closer');
        while (this.stack.length > 1) this.pop();
        return this.finish();
      }
      const tag = this.readTag(at);
      if (tag !== undefined) return tag;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.ended) return true;
    if (evidence === 'none' || this.stack.length > 1) return false;
    this.finish();
    return true;
  }

  private readTag(at: number): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    let start = at + this.prefix.length;
    while (start < source.text.length && ' \n\t\r'.includes(source.text.charAt(start))) start++;
    const end = source.text.indexOf('>', start);
    if (end < 0) return source.final || source.text.length - start < 300 ? 'more' : 'malformed';
    const tag = /^<(\/?)([^<>\n]{1,256})>$/.exec(source.text.slice(start, end + 1));
    source.position = end + 1;
    if (tag === null) return 'malformed';
    if (tag[1] === '') return this.push(tag[2] ?? '');
    if (this.stack.length > 1 && this.stack.at(-1)?.name === tag[2]) this.pop();
    else return 'malformed';
    return undefined;
  }

  private push(name: string): 'malformed' | undefined {
    const parent = this.stack.at(-1) ?? this.root;
    if (this.stack.length > this.context.limits.depth) return 'malformed';
    this.stack.push({ name, schema: memberSchema(parent.schema, name, this.context.tools.schemaOf(this.attempt.name)), texts: [], children: [] });
    return undefined;
  }

  private pop(): void {
    const element = this.stack.pop();
    if (element === undefined) return;
    (this.stack.at(-1) ?? this.root).children.push({ name: element.name, json: this.valueOf(element) });
  }

  private valueOf(element: Element): string {
    const types = schemaTypes(element.schema, this.context.tools.schemaOf(this.attempt.name));
    if (element.children.length > 0) {
      const isList = element.children.every(({ name }) => name === 'item') && types?.has('object') !== true;
      return isList ? `[${element.children.map(({ json }) => json).join(', ')}]` : objectOf(element.children);
    }
    const text = element.texts.join('');
    if (text.trim() === '' && types !== undefined && !types.has('string')) return types.has('array') ? '[]' : types.has('object') ? '{}' : typeValue(text, types).json;
    const typed = typeValue(text, types, 'string', this.context.limits.depth);
    for (const note of typed.notes) this.attempt.note(note);
    return typed.json;
  }

  private finish(): 'done' {
    this.attempt.argumentsText(objectOf(this.root.children));
    this.ended = true;
    return 'done';
  }

  private take(index: number): void {
    const { source } = this.context;
    if (index <= source.position) return;
    if (this.stack.length > 1) this.stack.at(-1)?.texts.push(source.text.slice(source.position, index));
    source.position = index;
  }

  private heldFrom(): number {
    const { text } = this.context.source;
    for (let held = Math.min(this.prefix.length - 1, text.length); held > 0; held--) if (this.prefix.startsWith(text.slice(text.length - held))) return text.length - held;
    return text.length;
  }
}

function objectOf(members: readonly { readonly name: string; readonly json: string }[]): string {
  return `{${members.map(({ name, json }) => `${quoteJson(name)}: ${json}`).join(', ')}}`;
}

