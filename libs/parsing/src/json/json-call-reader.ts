import type { BodyReader, JsonCallCodec } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { afterSpace } from '../source/scan.js';
import { JsonScanner } from './json-scanner.js';
import { schemaConverter } from './schema-converter.js';
import { firstCharacter, readJson } from './json-text.js';

type State = 'open' | 'key' | 'colon' | 'value' | 'after-value' | 'end';
type Role = 'name' | 'arguments' | 'id' | 'other';

/** Reads `{"name": NAME, "arguments": {…}}`, keys in any order; the arguments' text passes on as written. */
export class JsonCallReader implements BodyReader {
  private state: State = 'open';
  private role: Role = 'other';
  private scanner: JsonScanner | undefined;
  private collected: string[] = [];
  private streams = false;
  private hasArguments = false;
  /** The object has ended, but names no tool. */
  isWhole = false;

  constructor(private readonly context: ReadingContext, private readonly codec: JsonCallCodec, private readonly attempt: Attempt) {}

  run(): 'more' | 'done' | 'malformed' {
    for (;;) {
      if (this.state === 'end') return 'done';
      const result = this.state === 'key' || this.state === 'value' ? this.readScalar() : this.readStructure();
      if (result !== undefined) return result;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (evidence === 'none') return false;
    if (this.state === 'value' && this.streams) {
      const missing = this.scanner?.missingClosers;
      if (missing === undefined) return false;
      this.attempt.argumentsText(missing);
      this.hasArguments = true;
    } else if (this.state !== 'after-value') return false;
    this.attempt.note('missing-brackets');
    return this.complete();
  }

  private readStructure(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const code = source.text.charCodeAt(source.position);
    if (this.state === 'open') {
      source.position++;
      this.state = 'key';
      this.startScan(false);
      return undefined;
    }
    if (this.state === 'colon') {
      if (code !== 58) return 'malformed';
      source.position++;
      this.state = 'value';
      this.scanner = undefined;
      return undefined;
    }
    if (code === 44) {
      source.position++;
      this.state = 'key';
      this.startScan(false);
    } else if (code === 125) {
      source.position++;
      if (!this.complete()) {
        this.isWhole = true;
        return 'malformed';
      }
    } else return 'malformed';
    return undefined;
  }

  private readScalar(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    if (this.scanner === undefined || (this.state === 'key' && this.collected.length === 0)) {
      source.position = afterSpace(source.text, source.position);
      if (source.position === source.text.length) return 'more';
      const code = source.text.charCodeAt(source.position);
      if (this.state === 'key') {
        if (code === 125) {
          this.state = 'after-value';
          return undefined;
        }
        if (code !== 34 && code !== 39) return 'malformed';
      } else this.startScan(this.role === 'arguments' && code === 123);
    }
    const result = this.scanner?.run();
    if (result === 'more') return 'more';
    if (result !== 'done') return 'malformed';
    return this.state === 'key' ? this.endKey() : this.endValue();
  }

  private startScan(streams: boolean): void {
    this.streams = streams;
    this.collected = [];
    const text = streams ? (part: string) => { this.attempt.argumentsText(part); } : (part: string) => { this.collected.push(part); };
    this.scanner = new JsonScanner(this.context.source, { text, note: (code) => { this.attempt.note(code); } }, this.context.limits.depth, streams ? schemaConverter(this.context, this.attempt) : undefined);
  }

  private endKey(): undefined {
    const key = JSON.parse(this.collected.join('')) as string;
    if (this.codec.nameKeys.length === 0 && !this.attempt.hasBegun && key !== '') {
      this.attempt.begin(key);
      this.role = 'arguments';
    } else if (this.codec.nameKeys.includes(key)) this.role = 'name';
    else if (this.codec.argumentKeys.includes(key) && !this.hasArguments) this.role = 'arguments';
    else this.role = this.codec.idKeys.includes(key) ? 'id' : 'other';
    this.state = 'colon';
    return undefined;
  }

  private endValue(): 'malformed' | undefined {
    this.state = 'after-value';
    if (this.role === 'other') return undefined;
    if (this.role === 'arguments') return this.endArguments();
    const value: unknown = JSON.parse(this.collected.join(''));
    if (this.role === 'id') {
      if (typeof value === 'string') this.attempt.setId(value);
      return undefined;
    }
    if (typeof value !== 'string' || value === '' || this.attempt.hasBegun) return 'malformed';
    this.attempt.begin(value);
    return undefined;
  }

  /** Null is no arguments; a string that holds an object is that object. */
  private endArguments(): 'malformed' | undefined {
    if (this.streams) {
      this.hasArguments = true;
      return undefined;
    }
    const value: unknown = JSON.parse(this.collected.join(''));
    if (value === null || value === '') {
      this.attempt.note('null-arguments');
      return undefined;
    }
    const inner = typeof value === 'string' && firstCharacter(value) === '{' ? readJson(value, this.context.limits.depth) : undefined;
    if (inner === undefined) return 'malformed';
    this.attempt.note('string-arguments');
    this.attempt.argumentsText(inner.json);
    this.hasArguments = true;
    return undefined;
  }

  private complete(): boolean {
    if (!this.attempt.hasBegun) return false;
    if (!this.hasArguments) this.attempt.argumentsText('{}');
    this.state = 'end';
    return true;
  }
}
