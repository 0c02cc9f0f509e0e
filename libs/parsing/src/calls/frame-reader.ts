import type { Frame, FrameStep, ToolFormat } from '@turnwright/contracts';
import { JsonCallReader } from '../json/json-call-reader.js';
import { JsonArgumentsReader } from '../json/json-arguments-reader.js';
import { afterSpace, lookAny, lookLiteral, type Look } from '../source/scan.js';
import { PairsReader } from '../tags/pairs-reader.js';
import { spellings, stripQuotes } from '../tags/spellings.js';
import type { Attempt} from './attempt.js';
import { type CallReader, type ReadingContext } from './attempt.js';

/** A name longer than this, or one that holds a line end or `<`, is none. */
const NAME_MAX = 256;

/** A format's call frame, taken apart once. */
export interface CallGrammar {
  readonly format: ToolFormat;
  /** Literal that begins a call; empty when its body does. */
  readonly head: string;
  /** Literal behind the name; empty when the body holds the name. */
  readonly nameEnd: string;
  readonly body: Extract<FrameStep, { kind: 'body' }>;
  /** Literal behind the body; empty when the body ends the call. */
  readonly tail: string;
  readonly blockClose: string | undefined;
  readonly openers: readonly string[];
}

export function compileCall(format: ToolFormat): CallGrammar {
  const literal = (steps: Frame, index: number): string => (steps[index]?.kind === 'literal' ? (steps[index] as { text: string }).text : '');
  const steps = format.call.filter((step) => step.kind !== 'space');
  const bodyIndex = steps.findIndex((step) => step.kind === 'body');
  const nameIndex = steps.findIndex((step) => step.kind === 'name');
  const head = literal(steps, 0);
  return {
    format,
    head,
    nameEnd: nameIndex < 0 ? '' : literal(steps, nameIndex + 1),
    body: steps[bodyIndex] as Extract<FrameStep, { kind: 'body' }>,
    tail: literal(steps, bodyIndex + 1),
    blockClose: format.block?.close.text,
    openers: [...(format.block === undefined ? [] : [format.block.open.text]), ...(head === '' ? [] : [head])],
  };
}

/** Whether a call of the grammar begins at the cursor. */
export function lookCall(grammar: CallGrammar, context: ReadingContext): Look {
  const { source } = context;
  if (grammar.head !== '') return context.strict ? lookLiteral(source, source.position, grammar.head) : lookAny(source, source.position, spellings(grammar.head));
  return source.text.charCodeAt(source.position) === 123 ? 'yes' : 'no';
}

/** Reads one call by its grammar: head, name, body, tail. */
export class FrameReader implements CallReader {
  private body: CallReader | undefined;
  private state: 'head' | 'body' | 'tail' | 'end' = 'head';

  constructor(private readonly context: ReadingContext, private readonly grammar: CallGrammar, readonly attempt: Attempt) {}

  run(): 'more' | 'done' | 'malformed' {
    if (this.state === 'head') {
      const result = this.readHead();
      if (result !== undefined) return result;
    }
    if (this.state === 'body') {
      const result = this.body?.run() ?? 'malformed';
      if (result !== 'done') return result;
      this.state = 'tail';
    }
    return this.state === 'tail' ? this.readTail() : 'done';
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (this.state === 'head') return false;
    if (this.state === 'body' && this.body?.close(evidence) !== true) return false;
    if (this.state === 'tail' && evidence === 'none') return false;
    this.attempt.note('missing-closer');
    this.state = 'end';
    return true;
  }

  private readHead(): 'more' | 'malformed' | undefined {
    const { context, grammar, attempt } = this;
    const { source } = context;
    if (grammar.nameEnd !== '') {
      const name = lookName(grammar, context);
      if (name === 'more') return 'more';
      if (name === 'no') {
        source.position += grammar.head.length;
        return 'malformed';
      }
      if (!source.text.startsWith(grammar.head, source.position)) attempt.note('tag-spelling');
      source.position = name.end;
      attempt.begin(name.name);
    }
    this.body = this.openBody();
    this.state = 'body';
    return undefined;
  }

  private openBody(): CallReader {
    const { context, grammar, attempt } = this;
    const { codec } = grammar.body;
    switch (codec.kind) {
      case 'json-call': return new JsonCallReader(context, codec, attempt);
      case 'json-arguments': return new JsonArgumentsReader(context, attempt);
      case 'pairs': return new PairsReader(context, codec, attempt, { callClose: grammar.tail, blockClose: grammar.blockClose, openers: grammar.openers });
    }
  }

  private readTail(): 'more' | 'done' {
    const { context, grammar } = this;
    const { source } = context;
    if (grammar.tail !== '') {
      source.position = afterSpace(source.text, source.position);
      if (source.position === source.text.length) return 'more';
      const look = lookLiteral(source, source.position, grammar.tail);
      if (look === 'more') return 'more';
      if (look === 'yes') source.position += grammar.tail.length;
      else this.attempt.note('missing-closer');
    }
    this.state = 'end';
    return 'done';
  }
}

/** The name that stands at the cursor behind the grammar's head, without moving; `more` also when the output ends in it. */
export function lookName(grammar: CallGrammar, context: ReadingContext): { readonly name: string; readonly end: number } | 'more' | 'no' {
  const { source } = context;
  const start = source.position + grammar.head.length;
  const { text } = source;
  let end = start;
  while (end < text.length && end - start < NAME_MAX && !text.startsWith(grammar.nameEnd, end) && !'\n<'.includes(text.charAt(end))) end++;
  if (end === text.length && end - start < NAME_MAX) return 'more';
  const name = stripQuotes(text.slice(start, end).trim());
  return text.startsWith(grammar.nameEnd, end) && name !== '' ? { name, end: end + grammar.nameEnd.length } : 'no';
}

/** Whether another call's opener or the block's closer stands at the cursor. */
export function lookBoundary(grammar: CallGrammar, context: ReadingContext): Look {
  return lookAny(context.source, context.source.position, [...(grammar.blockClose === undefined ? [] : [grammar.blockClose]), ...grammar.openers]);
}
