import type { BodyReader } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { escapeJson, quoteJson, readJson } from '../json/json-text.js';
import { typeValue } from '../schema/argument-types.js';
import { afterSpace, crossSpace, lookLiteral } from '../source/scan.js';

const WORD_MAX = 4096;

type Expect = 'open' | 'key' | 'key-or-end' | 'colon' | 'value' | 'value-or-end' | 'comma-or-end' | 'string' | 'end';

/** Reads `{a:<|"|>x<|"|>,n:1,o:{b:true},l:[1,2]}`: bare keys, strings between a marker, everything else as in JSON. */
export class GemmaArgumentsReader implements BodyReader {
  private readonly closers: number[] = [];
  private expect: Expect = 'open';
  private stringIsKey = false;
  private mark = '';
  private topKey = '';

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt, private readonly quote: string) {}

  run(): 'more' | 'done' | 'malformed' {
    for (;;) {
      if (this.expect === 'end') return 'done';
      const result = this.expect === 'string' ? this.readString() : this.readStructure();
      if (result !== undefined) return result;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.expect === 'end') return true;
    if (evidence === 'none') return false;
    // A string whose marker is missing ends where the call does.
    if (this.expect === 'string' && evidence === 'closer') this.endString('missing-quote');
    if (this.expect !== 'comma-or-end' && this.expect !== 'key-or-end' && this.expect !== 'value-or-end') return false;
    this.attempt.note('missing-brackets');
    while (this.closers.length > 0) this.attempt.argumentsText(String.fromCharCode(this.closers.pop() ?? 125));
    this.expect = 'end';
    return true;
  }

  private readStructure(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const code = source.text.charCodeAt(source.position);
    switch (this.expect) {
      case 'open': return code === 123 ? this.openBracket(code) : 'malformed';
      case 'key':
      case 'key-or-end': return code === 125 ? this.closeBracket(code) : this.readKey();
      case 'colon':
        if (code !== 58) return 'malformed';
        source.position++;
        this.attempt.argumentsText(': ');
        this.expect = 'value';
        return undefined;
      case 'comma-or-end': return code === 44 ? this.comma() : this.closeBracket(code);
      default: return code === 93 && this.expect === 'value-or-end' ? this.closeBracket(code) : this.readValue(code);
    }
  }

  private openBracket(code: number): 'malformed' | undefined {
    if (this.closers.length >= this.context.limits.depth) return 'malformed';
    this.context.source.position++;
    this.closers.push(code + 2);
    this.attempt.argumentsText(String.fromCharCode(code));
    this.expect = code === 123 ? 'key-or-end' : 'value-or-end';
    return undefined;
  }

  private closeBracket(code: number): 'malformed' | undefined {
    if (this.closers.at(-1) !== code) return 'malformed';
    this.context.source.position++;
    this.closers.pop();
    this.attempt.argumentsText(String.fromCharCode(code));
    this.expect = this.closers.length === 0 ? 'end' : 'comma-or-end';
    return undefined;
  }

  private comma(): 'more' | undefined {
    const { source } = this.context;
    const next = crossSpace(source, source.position + 1);
    if (next === undefined) return 'more';
    source.position++;
    if (source.text.charCodeAt(next) === this.closers.at(-1)) {
      this.attempt.note('trailing-comma');
      return undefined;
    }
    this.attempt.argumentsText(', ');
    this.expect = this.closers.at(-1) === 125 ? 'key' : 'value';
    return undefined;
  }

  private readKey(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    const quoted = lookLiteral(source, source.position, this.quote);
    if (quoted === 'more') return 'more';
    if (quoted === 'yes') return this.openString(true);
    const end = source.text.indexOf(':', source.position);
    if (end < 0 || end - source.position > 256) return source.text.length - source.position > 256 ? 'malformed' : 'more';
    const raw = source.text.slice(source.position, end).trim();
    if (raw === '' || /[{}[\],]/.test(raw)) return 'malformed';
    const key = /^(["']).*\1$/s.test(raw) ? raw.slice(1, -1) : raw;
    source.position = end;
    if (this.closers.length === 1) this.topKey = key;
    this.attempt.argumentsText(quoteJson(key));
    this.expect = 'colon';
    return undefined;
  }

  private readValue(code: number): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    const quoted = lookLiteral(source, source.position, this.quote);
    if (quoted === 'more') return 'more';
    if (quoted === 'yes') return this.openString(false);
    if (code === 34 || code === 39) return this.openString(false, String.fromCharCode(code));
    if (code === 123 || code === 91) return this.openBracket(code);
    return this.readWord();
  }

  /** With `mark`, a string between ordinary quotes, as models write them inside containers (vLLM #51284). */
  private openString(isKey: boolean, mark = this.quote): undefined {
    this.context.source.position += mark.length;
    this.mark = mark;
    if (mark !== this.quote) this.attempt.note('quote-spelling');
    this.attempt.argumentsText('"');
    this.stringIsKey = isKey;
    this.expect = 'string';
    return undefined;
  }

  private readString(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    const first = this.mark.charAt(0);
    for (let at = source.text.indexOf(first, source.position); at >= 0; at = source.text.indexOf(first, at + 1)) {
      const look = this.lookStringEnd(at);
      if (look === 'no') continue;
      this.take(at);
      if (look === 'more') return 'more';
      source.position += this.mark.length;
      this.endString();
      return undefined;
    }
    this.take(source.text.length);
    return 'more';
  }

  /** An ordinary quote ends a string only before what may follow one. */
  private lookStringEnd(at: number): 'yes' | 'no' | 'more' {
    const { source } = this.context;
    const look = lookLiteral(source, at, this.mark);
    if (look !== 'yes' || this.mark === this.quote) return look;
    const next = crossSpace(source, at + 1);
    if (next === undefined) return 'more';
    return next === source.text.length || ',}]:'.includes(source.text.charAt(next)) ? 'yes' : 'no';
  }

  private endString(note?: string): void {
    if (note !== undefined) this.attempt.note(note);
    this.attempt.argumentsText('"');
    this.expect = this.stringIsKey ? 'colon' : 'comma-or-end';
  }

  private readWord(): 'more' | 'malformed' | undefined {
    const { source } = this.context;
    const { text } = source;
    let end = source.position;
    while (end < text.length && end - source.position <= WORD_MAX && !',}]'.includes(text.charAt(end))) end++;
    if (end - source.position > WORD_MAX) return 'malformed';
    if (end === text.length) return 'more';
    const word = text.slice(source.position, end).trim();
    const json = readJson(word)?.json;
    if (json === undefined && (word === '' || word.includes(this.quote.charAt(0)))) return 'malformed';
    source.position = end;
    this.attempt.argumentsText(json ?? this.bareWord(word));
    this.expect = 'comma-or-end';
    return undefined;
  }

  /** A word that is no JSON is a string whose markers were left out. */
  private bareWord(word: string): string {
    this.attempt.note('missing-quote');
    return typeValue(word, this.closers.length === 1 ? this.context.tools.typesOf(this.attempt.name, this.topKey) : undefined).json;
  }

  private take(index: number): void {
    const { source } = this.context;
    if (index <= source.position) return;
    const part = source.text.slice(source.position, index);
    source.position = index;
    this.attempt.argumentsText(escapeJson(part));
  }
}
