import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { escapeJson } from '../json/json-text.js';
import { typeValue, type JsonType } from '../schema/argument-types.js';
import { afterSpace, LOOKAHEAD_SPACE, lookAny, lookLiteral, type Look } from '../source/scan.js';

/** The tags among which a value stands. */
export interface ValueSurroundings {
  readonly pairOpen: string;
  readonly keyEnd: string;
  readonly pairClose: string;
  readonly callClose: string;
  readonly blockClose: string | undefined;
  /** Tags of which one must follow a closer that is structure. */
  readonly followers: readonly string[];
  /** A declared parameter that this call has not given yet. */
  isNewParameter(key: string): boolean;
}

const KEY_MAX = 256;
const SLASH = 47;

/**
 * Reads one tagged value.
 *
 * Values have no escape, so a closer counts only when the next structural tag, or the end of the output, follows it.
 * A value whose closer is missing ends where a declared, not yet given parameter opens on its own line, or where the call closes.
 */
export class ValueReader {
  private readonly streams: boolean;
  private readonly parts: string[] = [];
  private readonly closerSecond: number;
  private readonly openerSecond: number;
  private atStart = true;
  private atLineStart = true;

  constructor(private readonly context: ReadingContext, private readonly padding: 'line' | 'literal', private readonly attempt: Attempt, private readonly types: ReadonlySet<JsonType> | undefined, private readonly around: ValueSurroundings) {
    // A value that can only be a string is passed on as it comes; any other is typed when it is whole.
    this.streams = types === undefined || (types.size === 1 && types.has('string'));
    this.closerSecond = around.pairClose.charCodeAt(1);
    this.openerSecond = around.pairOpen.charCodeAt(1);
    if (this.streams) attempt.argumentsText('"');
  }

  run(): 'more' | 'done' {
    const { source } = this.context;
    if (this.atStart && this.skipPadding() === 'more') return 'more';
    for (let from = source.position; ;) {
      const tag = source.text.indexOf('<', from);
      if (tag < 0) {
        this.take(source.final ? source.text.length : this.heldFrom(source.text.length));
        return 'more';
      }
      // Most `<` in code begin no tag of the format; one character tells.
      const second = source.text.charCodeAt(tag + 1);
      const look = second === this.closerSecond || second === this.openerSecond || second === SLASH || Number.isNaN(second) ? this.lookEnd(tag) : 'no';
      if (look === 'more') {
        this.take(this.heldFrom(tag));
        return 'more';
      }
      if (look !== 'no') return this.end(tag, look);
      from = tag + 1;
    }
  }

  private skipPadding(): 'more' | undefined {
    const { source } = this.context;
    if (source.position === source.text.length) return 'more';
    if (this.padding === 'line') {
      const look = lookLiteral(source, source.position, '\r\n');
      if (look === 'more') return 'more';
      source.position += look === 'yes' ? 2 : source.text.charCodeAt(source.position) === 10 ? 1 : 0;
    }
    this.atStart = false;
    return undefined;
  }

  /** What ends the value at `tag`: its closer's length, 0 for a closer that is missing, or nothing. */
  private lookEnd(tag: number): number | 'no' | 'more' {
    const { source, around } = { source: this.context.source, around: this.around };
    const closer = lookLiteral(source, tag, around.pairClose);
    if (closer === 'yes') {
      const follows = this.lookFollower(tag + around.pairClose.length, around.followers);
      return follows === 'yes' ? around.pairClose.length : follows;
    }
    const missing = this.lookMissingCloser(tag);
    if (missing === 'yes') return 0;
    return closer === 'more' || missing === 'more' ? 'more' : 'no';
  }

  private lookFollower(index: number, followers: readonly string[]): Look {
    const { source } = this.context;
    const next = afterSpace(source.text, index, LOOKAHEAD_SPACE);
    if (next < source.text.length) return next - index >= LOOKAHEAD_SPACE ? 'no' : lookAny(source, next, followers);
    if (next - index >= LOOKAHEAD_SPACE) return 'no';
    return source.final ? 'yes' : 'more';
  }

  private lookMissingCloser(tag: number): Look {
    if (this.context.strict || !this.standsOnLineStart(tag)) return 'no';
    const { source, around } = { source: this.context.source, around: this.around };
    const parameter = this.lookParameter(tag);
    if (parameter !== 'no') return parameter;
    const call = lookLiteral(source, tag, around.callClose);
    if (call !== 'yes' || around.blockClose === undefined) return call === 'more' ? 'more' : 'no';
    const afterCall = tag + around.callClose.length;
    const block = this.lookFollower(afterCall, [around.blockClose]);
    const ends = source.final && afterSpace(source.text, afterCall) === source.text.length;
    if (block !== 'yes' || ends) return ends ? 'yes' : block;
    // The block closes here unless the value goes on and is closed after all.
    const after = this.lookFollower(afterSpace(source.text, afterCall) + around.blockClose.length, [around.pairClose]);
    const atEnd = source.final && afterSpace(source.text, afterSpace(source.text, afterCall) + around.blockClose.length) === source.text.length;
    return atEnd || after === 'no' ? 'yes' : after === 'more' ? 'more' : 'no';
  }

  private lookParameter(tag: number): Look {
    const { source, around } = { source: this.context.source, around: this.around };
    const open = lookLiteral(source, tag, around.pairOpen);
    if (open !== 'yes') return open;
    const start = tag + around.pairOpen.length;
    const end = source.text.indexOf(around.keyEnd, start);
    if (end < 0) return source.final || source.text.length - start > KEY_MAX ? 'no' : 'more';
    return end - start <= KEY_MAX && around.isNewParameter(source.text.slice(start, end).trim()) ? 'yes' : 'no';
  }

  private standsOnLineStart(tag: number): boolean {
    const { source } = this.context;
    if (tag === source.position) return this.atLineStart;
    return source.text.charCodeAt(tag - 1) === 10;
  }

  /** A line end before a closer belongs to the frame, so it waits for what follows it. */
  private heldFrom(index: number): number {
    const { text, position } = this.context.source;
    if (this.padding !== 'line') return index;
    let held = index;
    if (held > position && text.charCodeAt(held - 1) === 10) held--;
    if (held > position && text.charCodeAt(held - 1) === 13) held--;
    return held;
  }

  private end(tag: number, closerLength: number): 'done' {
    if (closerLength === 0) this.attempt.note('missing-closer');
    this.take(this.heldFrom(tag));
    this.context.source.position = tag + closerLength;
    if (this.streams) this.attempt.argumentsText('"');
    else {
      const typed = typeValue(this.parts.join(''), this.types);
      for (const note of typed.notes) this.attempt.note(note);
      this.attempt.argumentsText(typed.json);
    }
    return 'done';
  }

  private take(index: number): void {
    const { source } = this.context;
    if (index <= source.position) return;
    const part = source.text.slice(source.position, index);
    source.position = index;
    this.atLineStart = part.endsWith('\n');
    if (this.streams) this.attempt.argumentsText(escapeJson(part));
    else this.parts.push(part);
  }
}
