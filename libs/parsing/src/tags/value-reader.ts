import type { PairsCodec } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import type { Head } from '../calls/head.js';
import { escapeJson, quoteJson } from '../json/json-text.js';
import { afterSpace, LOOKAHEAD_SPACE, lookAny, lookLiteral, type Look } from '../source/scan.js';
import { isPlainString, valueJson, type ValueType } from './value-type.js';

/** The tags among which a value stands. */
export interface ValueSurroundings {
  readonly pairHead: Head;
  readonly pairClose: string;
  readonly callClose: string;
  readonly blockClosers: readonly string[];
  readonly openers: readonly string[];
  /** Tags of which one must follow a closer that is structure. */
  readonly followers: readonly string[];
  /** A declared parameter that this call has not given yet. */
  isNewParameter(key: string): boolean;
}

const CDATA_OPEN = '<![CDATA[';
const CDATA_CLOSE = ']]>';

/**
 * Reads one tagged value.
 *
 * Values have no escape, so a closer counts only when the next structural tag, or the end of the output, follows it.
 * A value whose closer is missing ends where a declared, not yet given parameter opens, or where the call and its block close.
 */
export class ValueReader {
  private readonly streams: boolean;
  private readonly parts: string[] = [];
  /** The string's opening quote has been said. */
  private isOpen = false;
  private readonly tagStarts: ReadonlySet<number>;
  private readonly firstCode: number;
  private state: 'start' | 'text' | 'cdata' | 'after-cdata' = 'start';
  private atLineStart = true;

  constructor(private readonly context: ReadingContext, private readonly codec: PairsCodec, private readonly attempt: Pick<Attempt, 'argumentsText' | 'note'>, private readonly type: ValueType, private readonly around: ValueSurroundings) {
    // A value that can only be a string is passed on as it comes; any other is typed when it is whole.
    this.streams = isPlainString(type, codec.jsonStrings);
    const tags = [around.pairClose, around.pairHead.prefix, around.callClose, ...around.blockClosers].filter((tag) => tag !== '');
    this.firstCode = tags.every((tag) => tag.charAt(0) === tags[0]?.charAt(0)) ? tags[0]?.charCodeAt(0) ?? 60 : -1;
    this.tagStarts = new Set(tags.map((tag) => tag.charCodeAt(this.firstCode < 0 ? 0 : 1)));
  }

  run(): 'more' | 'done' {
    for (;;) {
      const result = this.state === 'start' ? this.start() : this.state === 'text' ? this.readText() : this.state === 'cdata' ? this.readCdata() : this.afterCdata();
      if (result !== undefined) return result;
    }
  }

  private start(): 'more' | undefined {
    const { source } = this.context;
    if (source.position === source.text.length) return 'more';
    if (this.codec.cdata) {
      const at = afterSpace(source.text, source.position, LOOKAHEAD_SPACE);
      const cdata = at === source.text.length && !source.final ? 'more' : lookLiteral(source, at, CDATA_OPEN);
      if (cdata === 'more') return 'more';
      if (cdata === 'yes') {
        source.position = at + CDATA_OPEN.length;
        this.state = 'cdata';
        return undefined;
      }
    }
    if (this.codec.padding !== 'literal') {
      const look = lookLiteral(source, source.position, '\r\n');
      if (look === 'more') return 'more';
      source.position += look === 'yes' ? 2 : source.text.charCodeAt(source.position) === 10 ? 1 : 0;
    }
    this.state = 'text';
    return undefined;
  }

  private readText(): 'more' | 'done' {
    const { source } = this.context;
    for (let from = source.position; ;) {
      const tag = this.nextTag(from);
      if (tag < 0) {
        this.take(source.final ? source.text.length : this.heldFrom(source.text.length));
        return 'more';
      }
      const look = this.lookEnd(tag);
      if (look === 'more') {
        this.take(this.heldFrom(tag));
        return 'more';
      }
      if (look !== 'no') return this.end(tag, look);
      from = tag + 1;
    }
  }

  /** The next place where a tag of the format may begin; most `<` in code begin none, and one character tells. */
  private nextTag(from: number): number {
    const { text } = this.context.source;
    if (this.firstCode < 0) {
      for (let i = from; i < text.length; i++) if (this.tagStarts.has(text.charCodeAt(i))) return i;
      return -1;
    }
    const first = String.fromCharCode(this.firstCode);
    for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
      if (at + 1 === text.length || this.tagStarts.has(text.charCodeAt(at + 1))) return at;
    }
    return -1;
  }

  /** What ends the value at `tag`: its closer's length, 0 for a closer that is missing, or nothing. */
  private lookEnd(tag: number): number | 'no' | 'more' {
    const { around, context } = this;
    const closer = lookLiteral(context.source, tag, around.pairClose);
    if (closer === 'yes') {
      const follows = this.lookFollower(tag + around.pairClose.length, around.followers, 'yes');
      return follows === 'yes' ? around.pairClose.length : follows;
    }
    const missing = this.lookMissingCloser(tag);
    if (missing === 'yes') return 0;
    return closer === 'more' || missing === 'more' ? 'more' : 'no';
  }

  /** Whether one of `followers` stands behind the white space at `index`; `atEnd` is the answer at the end of the output. */
  private lookFollower(index: number, followers: readonly string[], atEnd: Look): Look {
    const { source } = this.context;
    const next = afterSpace(source.text, index, LOOKAHEAD_SPACE);
    if (next - index >= LOOKAHEAD_SPACE) return 'no';
    if (next === source.text.length) return source.final ? atEnd : 'more';
    return lookAny(source, next, followers);
  }

  private lookMissingCloser(tag: number): Look {
    if (this.context.strict || (this.codec.padding === 'line' && !this.standsOnLineStart(tag))) return 'no';
    const parameter = this.lookParameter(tag);
    return parameter === 'no' ? this.lookCallEnd(tag) : parameter;
  }

  private lookParameter(tag: number): Look {
    const { source, strict } = this.context;
    const first = this.around.pairHead.lookFirst(source, tag, strict);
    if (first !== 'yes') return first;
    const match = this.around.pairHead.match(source, tag, strict);
    if (match === 'more') return source.final ? 'no' : 'more';
    return match !== 'no' && this.around.isNewParameter(match.words.key ?? '') ? 'yes' : 'no';
  }

  /** The call and its block close, and the value is not closed after all behind them. */
  private lookCallEnd(tag: number): Look {
    const { source } = this.context;
    const { callClose, blockClosers, openers, pairClose } = this.around;
    let at = tag;
    if (callClose !== '') {
      const call = lookLiteral(source, at, callClose);
      if (call !== 'yes') return call;
      at += callClose.length;
      if (blockClosers.length === 0) return this.lookFollower(at, openers, 'yes');
      const block = this.lookFollower(at, blockClosers, 'yes');
      if (block !== 'yes') return block;
      at = afterSpace(source.text, at);
    }
    const block = blockClosers.find((closer) => source.text.startsWith(closer, at));
    if (block === undefined) return at === source.text.length && callClose !== '' ? 'yes' : lookAny(source, at, blockClosers);
    if (callClose === '') return this.lookFollower(at + block.length, openers, 'yes');
    const closed = this.lookFollower(at + block.length, [pairClose], 'no');
    return closed === 'more' ? 'more' : closed === 'yes' ? 'no' : 'yes';
  }

  private standsOnLineStart(tag: number): boolean {
    const { source } = this.context;
    if (tag === source.position) return this.atLineStart;
    return source.text.charCodeAt(tag - 1) === 10;
  }

  private readCdata(): 'more' | undefined {
    const { source } = this.context;
    const at = source.text.indexOf(CDATA_CLOSE, source.position);
    this.take(at >= 0 ? at : source.final ? source.text.length : Math.max(source.position, source.text.length - CDATA_CLOSE.length + 1));
    if (at < 0) return 'more';
    source.position = at + CDATA_CLOSE.length;
    this.state = 'after-cdata';
    return undefined;
  }

  private afterCdata(): 'more' | 'done' {
    const { source } = this.context;
    const at = afterSpace(source.text, source.position);
    source.position = at;
    if (at === source.text.length && !source.final) return 'more';
    const look = lookLiteral(source, at, this.around.pairClose);
    if (look === 'more') return 'more';
    return this.end(at, look === 'yes' ? this.around.pairClose.length : 0);
  }

  /** A line end before a closer belongs to the frame, so it waits for what follows it. */
  private heldFrom(index: number): number {
    const { text, position } = this.context.source;
    if (this.codec.padding === 'literal' || this.state !== 'text') return index;
    let held = index;
    if (held > position && text.charCodeAt(held - 1) === 10) held--;
    if (held > position && text.charCodeAt(held - 1) === 13) held--;
    return held;
  }

  private end(tag: number, closerLength: number): 'done' {
    if (closerLength === 0) this.attempt.note('missing-closer');
    if (this.streams) this.endString(this.heldFrom(tag));
    else this.take(this.heldFrom(tag));
    this.context.source.position = tag + closerLength;
    if (!this.streams) {
      const typed = valueJson(this.parts.join(''), this.type, this.codec, this.context.limits.depth);
      for (const note of typed.notes) this.attempt.note(note);
      this.attempt.argumentsText(typed.json);
    }
    return 'done';
  }

  private take(index: number): void {
    const { source } = this.context;
    if (index <= source.position) return;
    const part = this.consume(index);
    if (this.streams) this.attempt.argumentsText(this.isOpen ? escapeJson(part) : `"${escapeJson(part)}`);
    else this.parts.push(part);
    this.isOpen = true;
  }

  private endString(index: number): void {
    const part = this.consume(index);
    this.attempt.argumentsText(this.isOpen ? `${escapeJson(part)}"` : quoteJson(part));
  }

  private consume(index: number): string {
    const { source } = this.context;
    const part = source.text.slice(source.position, index);
    source.position = index;
    this.atLineStart = part.charCodeAt(part.length - 1) === 10;
    return part;
  }
}
