import type { BodyReader, PairsCodec } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { Head } from '../calls/head.js';
import { quoteJson } from '../json/json-text.js';
import { afterSpace, lookLiteral } from '../source/scan.js';
import { ValueReader } from './value-reader.js';

const KEY_HEAD = new Head([{ kind: 'literal', text: '<', special: false }, { kind: 'key' }, { kind: 'literal', text: '>', special: false }]);
/** How far a broken call's closer is looked for. */
const BROKEN_MAX = 4096;
const VALUES: PairsCodec = { kind: 'pairs', pair: [], padding: 'multiline', separator: '\n', undeclared: 'string', types: 'name', cdata: true, jsonStrings: false };

/** Reads `<path>a.py</path>…</read_file>`: every argument in a tag of its own name, up to the closer of the tool's tag. */
export class ToolTagsReader implements BodyReader {
  private readonly closer: string;
  private readonly seen = new Set<string>();
  private value: ValueReader | undefined;
  private ended = false;
  /** What is no call has ended. */
  isWhole = false;

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt) {
    this.closer = `</${attempt.name}>`;
  }

  run(): 'more' | 'done' | 'malformed' {
    for (;;) {
      if (this.ended) return 'done';
      if (this.value === undefined) {
        const result = this.readKey();
        if (result !== undefined) return result;
      } else if (this.value.run() === 'more') return 'more';
      else this.value = undefined;
    }
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.ended) return true;
    if (evidence === 'none' || this.value !== undefined) return false;
    this.finish();
    return true;
  }

  private readKey(): 'more' | 'malformed' | undefined {
    const { source, strict, tools } = this.context;
    source.position = afterSpace(source.text, source.position);
    if (source.position === source.text.length) return 'more';
    const close = lookLiteral(source, source.position, this.closer);
    if (close === 'more') return 'more';
    if (close === 'yes') {
      source.position += this.closer.length;
      this.finish();
      return undefined;
    }
    const match = KEY_HEAD.match(source, source.position, true);
    if (match === 'more') return 'more';
    const key = match === 'no' ? '' : match.words.key ?? '';
    if (match === 'no' || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key)) return this.endBroken();
    source.position = match.end;
    this.attempt.argumentsText(`${this.seen.size === 0 ? '{' : ', '}${quoteJson(key)}: `);
    if (this.seen.has(key)) this.attempt.note('duplicate-key');
    this.seen.add(key);
    const isNewParameter = (other: string): boolean => !strict && !this.seen.has(other) && tools.declares(this.attempt.name, other);
    this.value = new ValueReader(this.context, VALUES, this.attempt, { from: 'schema', types: tools.typesOf(this.attempt.name, key), undeclared: 'string' }, { pairHead: KEY_HEAD, pairClose: `</${key}>`, callClose: this.closer, blockClosers: [], openers: [], followers: ['<'], isNewParameter });
    return undefined;
  }

  /** What holds no arguments is broken up to its closer, when one comes soon; else the tag alone is, and what follows it is text. */
  private endBroken(): 'more' | 'malformed' {
    const { source } = this.context;
    const at = source.text.indexOf(this.closer, source.position);
    if (at < 0 && !source.final && source.text.length - source.position < BROKEN_MAX) return 'more';
    if (at >= 0 && at - source.position < BROKEN_MAX) source.position = at + this.closer.length;
    this.isWhole = true;
    return 'malformed';
  }

  private finish(): void {
    this.attempt.argumentsText(this.seen.size === 0 ? '{}' : '}');
    this.ended = true;
  }
}
