import type { BodyReader } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { quoteJson } from '../json/json-text.js';
import { afterSpace } from '../source/scan.js';
import { PythonScanner } from './python-scanner.js';

const KEY_MAX = 256;

/** Reads `a="x", n=1)`: keyword arguments up to the parenthesis that closes the call. */
export class PythonArgumentsReader implements BodyReader {
  private state: 'key-or-end' | 'key' | 'value' | 'after-value' | 'end' = 'key-or-end';
  private scanner: PythonScanner | undefined;
  private readonly seen = new Set<string>();
  /** What the scanner said, to go on as one delta: a string is many parts between its escapes. */
  private said = '';

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt) {}

  run(): 'more' | 'done' | 'malformed' {
    for (;;) {
      if (this.state === 'end') return 'done';
      const result = this.state === 'value' ? this.readValue() : this.readStructure();
      if (result !== undefined) return result;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (evidence === 'none') return false;
    if (this.state === 'value' && this.scanner?.close() !== true) return false;
    this.flush();
    if (this.state === 'key') return false;
    this.attempt.note('missing-brackets');
    this.finish();
    return true;
  }

  private readStructure(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const character = source.text.charAt(source.position);
    if (character === ')' && this.state !== 'key') {
      source.position++;
      this.finish();
      return undefined;
    }
    if (this.state === 'after-value') {
      if (character !== ',') return 'malformed';
      source.position++;
      this.state = 'key-or-end';
      return undefined;
    }
    return this.readKey();
  }

  private readKey(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    const match = /^(?:([\p{L}_$][\p{L}\p{N}_.$-]*)|"([^"\n]*)"|'([^'\n]*)')\s*=/u.exec(source.text.slice(source.position, source.position + KEY_MAX));
    if (match === null) {
      const rest = source.text.slice(source.position, source.position + KEY_MAX);
      return rest.length < KEY_MAX && !source.final && /^(?:[\p{L}_$][\p{L}\p{N}_.$-]*\s*|"[^"\n]*"?\s*|'[^'\n]*'?\s*)$/u.test(rest) ? 'more' : source.final && /^[\p{L}_$][\p{L}\p{N}_.$-]*\s*$/u.test(rest) ? 'more' : 'malformed';
    }
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    source.position += match[0].length;
    this.attempt.argumentsText(`${this.seen.size === 0 ? '{' : ', '}${quoteJson(key)}: `);
    if (this.seen.has(key)) this.attempt.note('duplicate-key');
    this.seen.add(key);
    this.scanner = new PythonScanner(source, { text: (part) => { this.said += part; }, note: (code) => { this.attempt.note(code); } }, this.context.limits.depth);
    this.state = 'value';
    return undefined;
  }

  private readValue(): 'more' | 'malformed' | undefined {
    const result = this.scanner?.run();
    this.flush();
    if (result === 'more') return 'more';
    if (result !== 'done') return 'malformed';
    this.state = 'after-value';
    return undefined;
  }

  private flush(): void {
    if (this.said !== '') this.attempt.argumentsText(this.said);
    this.said = '';
  }

  private finish(): void {
    this.attempt.argumentsText(this.seen.size === 0 ? '{}' : '}');
    this.state = 'end';
  }
}
