import type { PairsCodec } from '@turnwright/contracts';
import type { Attempt, CallReader, ReadingContext } from '../calls/attempt.js';
import { JsonScanner } from '../json/json-scanner.js';
import { quoteJson } from '../json/json-text.js';
import { afterSpace, lookAny, lookLiteral } from '../source/scan.js';
import { spellings, stripQuotes } from './spellings.js';
import { ValueReader, type ValueSurroundings } from './value-reader.js';

/** A key longer than this, or one that holds a line end or `<`, is a broken tag. */
const KEY_MAX = 256;

/** What may stand around the pairs, outermost last. */
export interface PairSurroundings {
  /** Ends the pairs: the rest of the call's frame. */
  readonly callClose: string;
  readonly blockClose: string | undefined;
  /** Begins another call, which shows that this one was not closed. */
  readonly openers: readonly string[];
}

/** Reads `<parameter=KEY>VALUE</parameter>` pairs into the text of one JSON object. */
export class PairsReader implements CallReader {
  private readonly open: string;
  private readonly opens: readonly string[];
  private readonly keyEnd: string;
  private readonly close_: string;
  private readonly stops: readonly string[];
  private readonly surroundings: ValueSurroundings;
  private readonly seen = new Set<string>();
  private state: 'between' | 'skip' | 'value' | 'json' | 'end' = 'between';
  private value: ValueReader | undefined;
  private json: JsonScanner | undefined;

  constructor(private readonly context: ReadingContext, private readonly codec: PairsCodec, private readonly attempt: Attempt, around: PairSurroundings) {
    const [open, , keyEnd, , close] = codec.pair;
    this.open = open?.kind === 'literal' ? open.text : '';
    this.keyEnd = keyEnd?.kind === 'literal' ? keyEnd.text : '';
    this.close_ = close?.kind === 'literal' ? close.text : '';
    this.opens = context.strict ? [this.open] : spellings(this.open);
    this.stops = [around.callClose, ...(around.blockClose === undefined ? [] : [around.blockClose]), ...around.openers];
    this.surroundings = { pairOpen: this.open, keyEnd: this.keyEnd, pairClose: this.close_, callClose: around.callClose, blockClose: around.blockClose, followers: [...this.opens, this.close_, ...this.stops], isNewParameter: (key) => !this.seen.has(key) && context.tools.declares(attempt.name, key) };
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
    if (evidence === 'none' || this.state !== 'between') return false;
    this.finish();
    return true;
  }

  private step(): 'more' | 'malformed' | undefined {
    switch (this.state) {
      case 'between': return this.between();
      case 'skip': return this.skip();
      case 'value': return this.readValue();
      default: return this.readJson();
    }
  }

  private between(): 'more' | undefined {
    const { source } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const stop = lookAny(source, source.position, this.stops);
    if (stop === 'yes') {
      this.finish();
      return undefined;
    }
    const pair = lookAny(source, source.position, this.opens);
    if (pair === 'yes') return this.readKey();
    const stray = lookLiteral(source, source.position, this.close_);
    if (pair === 'more' || stop === 'more' || stray === 'more') return 'more';
    if (stray === 'yes') {
      this.attempt.note('stray-closer');
      source.position += this.close_.length;
    } else if (source.text.charCodeAt(source.position) === 123 && this.seen.size === 0) this.startJson();
    else this.skipStray();
    return undefined;
  }

  private readKey(): 'more' | undefined {
    const { source } = this.context;
    const start = source.position + this.open.length;
    let end = start;
    while (end < source.text.length && end - start < KEY_MAX && !source.text.startsWith(this.keyEnd, end) && !'\n<'.includes(source.text.charAt(end))) end++;
    if (end === source.text.length && end - start < KEY_MAX && !source.final) return 'more';
    const key = stripQuotes(source.text.slice(start, end).trim());
    if (!source.text.startsWith(this.keyEnd, end) || key === '') {
      this.attempt.note('broken-parameter');
      source.position = end;
      this.state = 'skip';
      return undefined;
    }
    if (!source.text.startsWith(this.open, source.position)) this.attempt.note('tag-spelling');
    source.position = end + this.keyEnd.length;
    this.attempt.argumentsText(`${this.seen.size === 0 ? '{' : ', '}${quoteJson(key)}: `);
    if (this.seen.has(key)) this.attempt.note('duplicate-key');
    this.seen.add(key);
    this.value = new ValueReader(this.context, this.codec.padding, this.attempt, this.context.tools.typesOf(this.attempt.name, key), this.surroundings);
    this.state = 'value';
    return undefined;
  }

  private readValue(): 'more' | 'malformed' | undefined {
    const result = this.value?.run();
    if (result === 'more') return result;
    this.state = 'between';
    return undefined;
  }

  /** After a broken tag, up to the closer that ends it or to the next structural tag. */
  private skip(): 'more' | undefined {
    const { source } = this.context;
    const next = source.text.indexOf('<', source.position);
    source.position = next < 0 ? source.text.length : next;
    if (next < 0) return 'more';
    const look = lookAny(source, next, [...this.opens, ...this.stops]);
    const close = lookLiteral(source, next, this.close_);
    if (close === 'yes' || look === 'yes') {
      if (close === 'yes') source.position += this.close_.length;
      this.state = 'between';
    } else if (close === 'more' || look === 'more') return 'more';
    else source.position = next + 1;
    return undefined;
  }

  private skipStray(): void {
    const { source } = this.context;
    this.attempt.note('stray-text');
    const next = source.text.indexOf('<', source.position + 1);
    source.position = next < 0 ? source.text.length : next;
  }

  /** Arguments as one JSON object where pairs are expected: Qwen3-Coder mixes the two up after JSON-heavy prompts. */
  private startJson(): void {
    this.attempt.note('json-body');
    this.json = new JsonScanner(this.context.source, { text: (part) => { this.attempt.argumentsText(part); }, note: (code) => { this.attempt.note(code); } }, this.context.limits.depth);
    this.state = 'json';
  }

  private readJson(): 'more' | 'malformed' | undefined {
    const result = this.json?.run();
    if (result === 'more') return 'more';
    this.state = 'end';
    return result === 'done' ? undefined : 'malformed';
  }

  private finish(): void {
    this.attempt.argumentsText(this.seen.size === 0 ? '{}' : '}');
    this.state = 'end';
  }
}
