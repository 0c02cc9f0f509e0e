import type { BodyReader } from '@turnwright/contracts';
import { JsonArgumentsReader } from '../json/json-arguments-reader.js';
import { JsonCallReader } from '../json/json-call-reader.js';
import { GemmaArgumentsReader } from '../gemma/gemma-arguments-reader.js';
import { PythonArgumentsReader } from '../python/python-arguments-reader.js';
import { afterSpace, LOOKAHEAD_SPACE, lookAny, lookLiteral, type Look } from '../source/scan.js';
import { NestedTagsReader } from '../tags/nested-tags-reader.js';
import { PairsReader } from '../tags/pairs-reader.js';
import { TextArgumentReader } from '../tags/text-argument-reader.js';
import { ToolTagsReader } from '../tags/tool-tags-reader.js';
import type { Attempt, ReadingContext } from './attempt.js';
import type { CallGrammar } from './call-grammar.js';
import { declaredNameIn, idParts, isSpelledId, nameFromArguments } from './call-id.js';

/** Whether a call of the grammar begins at the cursor. */
export function lookCall(grammar: CallGrammar, context: ReadingContext): Look {
  const { source, strict } = context;
  const { head } = grammar;
  if (head.isEmpty) return source.text.charCodeAt(source.position) === 123 ? 'yes' : 'no';
  if (head.first !== '') return head.lookFirst(source, source.position, strict);
  const match = head.match(source, source.position, strict);
  return typeof match === 'string' ? match : 'yes';
}

/** Reads one call by its grammar: head, body, tail. */
export class FrameReader implements BodyReader {
  private body: BodyReader | undefined;
  private state: 'head' | 'body' | 'tail' | 'end' = 'head';
  private tailIndex = 0;
  private isBroken = false;
  /** An id that names no declared tool: the arguments may tell, so the call begins when they are whole. */
  private nameless: string | undefined;

  constructor(private readonly context: ReadingContext, private readonly grammar: CallGrammar, readonly attempt: Attempt) {}

  run(): 'more' | 'done' | 'malformed' {
    // What is broken stays so, however often more text comes.
    if (this.isBroken) return 'malformed';
    const result = this.read();
    this.isBroken = result === 'malformed';
    return result;
  }

  private read(): 'more' | 'done' | 'malformed' {
    if (this.state === 'head') {
      const result = this.readHead();
      if (result !== undefined) return result;
    }
    if (this.state === 'body') {
      const result = this.body?.run() ?? 'malformed';
      if (result !== 'done') return result;
      this.nameCall();
      this.state = 'tail';
    }
    return this.state === 'tail' ? this.readTail() : 'done';
  }

  /** The body has ended, although it is no call: what follows it is not its fault. */
  get isWhole(): boolean {
    return (this.body instanceof JsonCallReader || this.body instanceof ToolTagsReader) && this.body.isWhole;
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (this.state === 'head') return false;
    const proven = this.body?.close(evidence) === true;
    if (this.state === 'body' && !proven) return false;
    this.nameCall();
    if (this.state === 'tail' && evidence === 'none' && !this.isProven) return false;
    this.attempt.note('missing-closer');
    this.state = 'end';
    return true;
  }

  private nameCall(): void {
    if (this.nameless === undefined) return;
    const json = this.attempt.takeHeld();
    const found = nameFromArguments(json, this.context.tools);
    if (found !== undefined) this.attempt.note('name-from-arguments');
    this.attempt.begin(found?.name ?? (idParts(this.nameless, this.grammar.format).name || this.nameless));
    this.attempt.argumentsText(found?.json ?? json);
    this.nameless = undefined;
  }

  /** A body that ends by itself is whole without its closer; the last pair does not prove that no pair was to follow. */
  private get isProven(): boolean {
    return this.grammar.codec.kind !== 'pairs' || this.tailIndex > 0;
  }

  private readHead(): 'more' | 'malformed' | undefined {
    const { context, grammar, attempt } = this;
    const { source } = context;
    if (!grammar.head.isEmpty) {
      const match = grammar.head.match(source, source.position, context.strict);
      if (match === 'more') return 'more';
      if (match === 'no') {
        source.position += Math.max(1, grammar.head.prefix.length);
        return 'malformed';
      }
      source.position = match.end;
      if (match.respelled) attempt.note('tag-spelling');
      this.begin(match.words);
    }
    this.body = this.openBody();
    this.state = 'body';
    return undefined;
  }

  private begin(words: Readonly<Partial<Record<'name' | 'call-id', string>>>): void {
    const id = words['call-id'];
    if (id !== undefined) {
      this.attempt.setId(id);
      const { strict, tools } = this.context;
      const isSpelled = strict || isSpelledId(id, this.grammar.format);
      const name = isSpelled ? idParts(id, this.grammar.format).name : declaredNameIn(id, this.grammar.format, tools);
      if (name === undefined || (!isSpelled && !tools.isEmpty && !tools.has(name))) this.nameless = id;
      else {
        if (!strict && idParts(id, this.grammar.format).name !== name) this.attempt.note('id-spelling');
        this.attempt.begin(name);
      }
    } else if (words.name !== undefined) this.attempt.begin(words.name);
  }

  private openBody(): BodyReader {
    const { context, grammar, attempt } = this;
    const { codec } = grammar;
    switch (codec.kind) {
      case 'json-call': return new JsonCallReader(context, codec, attempt);
      case 'json-arguments': return new JsonArgumentsReader(context, attempt);
      case 'pairs': return new PairsReader(context, codec, attempt, { callClose: grammar.tail[0] ?? '', blockClosers: grammar.blockClosers, openers: grammar.openers });
      case 'python-arguments': return new PythonArgumentsReader(context, attempt);
      case 'gemma-arguments': return new GemmaArgumentsReader(context, attempt, codec.quote);
      case 'nested-tags': return new NestedTagsReader(context, attempt, codec.prefix, grammar.tail[0] ?? '');
      case 'text-argument': return new TextArgumentReader(context, attempt, codec.argument, [...grammar.tail, ...grammar.blockClosers]);
      case 'tool-tags': return new ToolTagsReader(context, attempt);
      case 'custom': return codec.open({ source: context.source, name: attempt.name, begin: (name) => { attempt.begin(name); }, argumentsText: (text) => { attempt.argumentsText(text); }, note: (code) => { attempt.note(code); } });
    }
  }

  private readTail(): 'more' | 'done' {
    const { context, grammar } = this;
    const { source } = context;
    for (; this.tailIndex < grammar.tail.length; this.tailIndex++) {
      // White space before a closer that is missing is no part of the call, so it is not consumed until the closer stands there.
      const at = afterSpace(source.text, source.position, LOOKAHEAD_SPACE);
      const literal = grammar.tail[this.tailIndex] ?? '';
      const look = at === source.text.length ? 'more' : lookLiteral(source, at, literal);
      if (look === 'more') return 'more';
      if (look === 'no') {
        this.attempt.note('missing-closer');
        break;
      }
      source.position = at + literal.length;
    }
    this.state = 'end';
    return 'done';
  }
}

/** Whether another call's opener or the block's closer stands at the cursor. */
export function lookBoundary(grammar: CallGrammar, context: ReadingContext): Look {
  return lookAny(context.source, context.source.position, [...grammar.blockClosers, ...grammar.openers, ...grammar.tail]);
}
