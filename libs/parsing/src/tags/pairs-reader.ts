import type { BodyReader, PairsCodec } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { Head } from '../calls/head.js';
import { JsonScanner } from '../json/json-scanner.js';
import { quoteJson } from '../json/json-text.js';
import { afterSpace, lookAny, lookLiteral } from '../source/scan.js';
import { ValueReader, type ValueSurroundings } from './value-reader.js';
import { wireType, type ValueType } from './value-type.js';
import { isWrapperKey, WrappedArguments } from './wrapped-arguments.js';

/** What may stand around the pairs, outermost last. */
export interface PairSurroundings {
  /** Ends the pairs: the rest of the call's frame; empty when the block's closer does. */
  readonly callClose: string;
  readonly blockClosers: readonly string[];
  /** Begins another call, which shows that this one was not closed. */
  readonly openers: readonly string[];
}

/** Reads `<parameter=KEY>VALUE</parameter>` pairs into the text of one JSON object. */
export class PairsReader implements BodyReader {
  private readonly head: Head;
  private readonly pairClose: string;
  private readonly stops: readonly string[];
  private readonly surroundings: ValueSurroundings;
  private readonly seen = new Set<string>();
  private readonly unwrapped: WrappedArguments;
  private state: 'between' | 'stray' | 'skip' | 'value' | 'json' | 'end' = 'between';
  private value: ValueReader | undefined;
  private json: JsonScanner | undefined;

  constructor(private readonly context: ReadingContext, private readonly codec: PairsCodec, private readonly attempt: Attempt, around: PairSurroundings) {
    this.unwrapped = new WrappedArguments(attempt);
    const valueAt = codec.pair.findIndex(({ kind }) => kind === 'value');
    const close = codec.pair.slice(valueAt + 1).find(({ kind }) => kind === 'literal');
    this.head = new Head(codec.pair.slice(0, valueAt));
    this.pairClose = close?.kind === 'literal' ? close.text : '';
    this.stops = [...(around.callClose === '' ? [] : [around.callClose]), ...around.blockClosers, ...around.openers];
    this.surroundings = { ...around, pairHead: this.head, pairClose: this.pairClose, followers: [this.head.prefix, this.pairClose, ...this.stops], isNewParameter: (key) => !this.seen.has(key) && context.tools.declares(attempt.name, key) };
  }

  run(): 'more' | 'done' | 'malformed' {
    for (;;) {
      if (this.state === 'end') return 'done';
      const result = this.step();
      if (result !== undefined) return result;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (evidence === 'none') return false;
    if (this.state === 'json') return this.closeJson();
    if (this.state !== 'between') return false;
    this.finish();
    return true;
  }

  private step(): 'more' | 'malformed' | undefined {
    switch (this.state) {
      case 'between': return this.between();
      case 'stray': return this.skipStray();
      case 'skip': return this.skip();
      case 'value': return this.readValue();
      default: return this.readJson();
    }
  }

  private between(): 'more' | undefined {
    const { source, strict } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const pair = this.head.lookFirst(source, source.position, strict);
    if (pair === 'yes') return this.readKey();
    const stop = lookAny(source, source.position, this.stops);
    if (stop === 'yes') {
      this.finish();
      return undefined;
    }
    const stray = lookLiteral(source, source.position, this.pairClose);
    if (pair === 'more' || stop === 'more' || stray === 'more') return 'more';
    if (stray === 'yes') {
      this.attempt.note('stray-closer');
      source.position += this.pairClose.length;
    } else if (source.text.charCodeAt(source.position) === 123 && this.seen.size === 0) this.startJson();
    else {
      this.attempt.note('stray-text');
      source.position++;
      this.state = 'stray';
    }
    return undefined;
  }

  private readKey(): 'more' | undefined {
    const { source, strict } = this.context;
    const match = this.head.match(source, source.position, strict);
    if (match === 'more') return 'more';
    const key = match === 'no' ? '' : match.words.key ?? '';
    if (match === 'no' || key === '') {
      const unfinished = this.readUnfinishedKey();
      if (unfinished !== 'no') return unfinished === 'yes' ? undefined : 'more';
      this.attempt.note('broken-parameter');
      source.position += this.head.prefix.length;
      this.state = 'skip';
      return undefined;
    }
    if (match.respelled && match.words.type === undefined && !this.codec.pair.some(({ kind }) => kind === 'type')) this.attempt.note('tag-spelling');
    source.position = match.end;
    this.beginValue(key, match.words.type);
    return undefined;
  }

  /** `<parameter=command=view</parameter>`: a declared key whose tag was never closed (OpenHands #10539). */
  private readUnfinishedKey(): 'yes' | 'no' | 'more' {
    const { source, strict, tools } = this.context;
    if (strict) return 'no';
    const start = source.position + this.head.first.length;
    const at = source.text.indexOf('=', start);
    if (at < 0 && source.text.length - start < 128 && !source.final) return 'more';
    const key = source.text.slice(start, at);
    if (at < 0 || !tools.declares(this.attempt.name, key)) return 'no';
    this.attempt.note('broken-parameter');
    source.position = at + 1;
    this.beginValue(key, undefined);
    return 'yes';
  }

  private beginValue(key: string, type: string | undefined): void {
    this.unwrapped.nextKey();
    if (this.seen.size === 0 && !this.context.strict && isWrapperKey(key) && this.context.tools.has(this.attempt.name) && !this.context.tools.declares(this.attempt.name, key)) this.unwrapped.hold();
    this.unwrapped.argumentsText(`${this.seen.size === 0 ? '{' : ', '}${quoteJson(key)}: `);
    if (this.seen.has(key)) this.attempt.note('duplicate-key');
    this.seen.add(key);
    this.value = new ValueReader(this.context, this.codec, this.unwrapped, this.typeOf(key, type), this.surroundings);
    this.state = 'value';
  }

  private typeOf(key: string, word: string | undefined): ValueType {
    const type = wireType(word, this.codec.types);
    return type === undefined ? { from: 'schema', types: this.context.tools.typesOf(this.attempt.name, key), undeclared: this.codec.undeclared } : { from: 'wire', type };
  }

  private readValue(): 'more' | undefined {
    if (this.value?.run() === 'more') return 'more';
    this.state = 'between';
    return undefined;
  }

  /** After a broken tag, up to the closer that ends it or to the next structural tag. */
  private skip(): 'more' | undefined {
    const { source, strict } = this.context;
    const next = source.text.indexOf(this.pairClose.charAt(0), source.position);
    source.position = next < 0 ? source.text.length : next;
    if (next < 0) return 'more';
    const close = lookLiteral(source, next, this.pairClose);
    const look = lookAny(source, next, this.stops);
    const pair = this.head.lookFirst(source, next, strict);
    if (close === 'yes' || look === 'yes' || pair === 'yes') {
      if (close === 'yes') source.position += this.pairClose.length;
      this.state = 'between';
    } else if (close === 'more' || look === 'more' || pair === 'more') return 'more';
    else source.position = next + 1;
    return undefined;
  }

  /** Text between pairs, up to what may be a tag. */
  private skipStray(): 'more' | undefined {
    const { source } = this.context;
    const next = source.text.indexOf(this.pairClose.charAt(0), source.position);
    source.position = next < 0 ? source.text.length : next;
    if (next < 0) return 'more';
    this.state = 'between';
    return undefined;
  }

  /** Arguments as one JSON object where pairs are expected: models that were shown JSON schemas mix the two up. */
  private startJson(): void {
    this.attempt.note('json-body');
    this.json = new JsonScanner(this.context.source, { text: (part) => { this.attempt.argumentsText(part); }, note: (code) => { this.attempt.note(code); } }, this.context.limits.depth);
    this.state = 'json';
  }

  private readJson(): 'more' | 'malformed' | undefined {
    const result = this.json?.run();
    if (result === 'more') return 'more';
    if (result !== 'done') return 'malformed';
    this.state = 'end';
    return undefined;
  }

  private closeJson(): boolean {
    const missing = this.json?.missingClosers;
    if (missing === undefined) return false;
    this.attempt.argumentsText(missing);
    this.attempt.note('missing-brackets');
    this.state = 'end';
    return true;
  }

  private finish(): void {
    this.unwrapped.argumentsText(this.seen.size === 0 ? '{}' : '}');
    this.unwrapped.end();
    this.state = 'end';
  }
}
