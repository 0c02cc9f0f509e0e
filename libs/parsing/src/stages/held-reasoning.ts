import type { MarkerStep } from '@turnwright/contracts';
import { MarkerSet } from '../source/markers.js';
import { afterSpace, isSpace } from '../source/scan.js';
import type { Source } from '../source/source.js';

/**
 * What a call inside reasoning turned out to be.
 *
 * `example`: a reasoning closer follows, so `text` was reasoning; `rest`, when given, is what has to be read again from the closer on.
 * `calls`: none follows, so the calls in `text` count.
 */
export type HeldVerdict =
  | { readonly kind: 'more' }
  | { readonly kind: 'example'; readonly text: string; readonly offset: number; readonly closerLength: number; readonly rest?: string }
  | { readonly kind: 'calls'; readonly text: string; readonly offset: number };

interface Closer {
  readonly offset: number;
  readonly length: number;
}

/**
 * Waits, from a call's opener inside reasoning, for the reasoning closer or the end of the output.
 *
 * A closer that stands before the call's block is closed may be text in one of its arguments; it counts only if the block never closes.
 */
export class HeldReasoning {
  private readonly offset: number;
  private readonly markers: MarkerSet<'reasoning-close' | 'block-close'>;
  private blockClosed = false;
  private doubtful: Closer | undefined;
  private closed: Closer | undefined;
  /** Something but white space stands behind the last block. */
  private sinceBlock = false;

  constructor(private readonly source: Source, close: readonly MarkerStep[], blockClosers: readonly string[]) {
    this.offset = source.offset;
    const closers = new Set(blockClosers.filter((text) => text !== ''));
    this.markers = new MarkerSet([
      ...close.map((marker) => ({ marker, value: 'reasoning-close' as const })),
      ...[...closers].map((text) => ({ marker: { text, special: false }, value: 'block-close' as const })),
    ]);
    source.keep();
  }

  run(): HeldVerdict {
    const { source } = this;
    if (this.closed !== undefined) return this.judge(this.closed);
    for (let i = source.position; i < source.text.length; i++) {
      const code = source.text.charCodeAt(i);
      if (!this.markers.canBegin(code)) {
        if (!isSpace(code)) this.sinceBlock = true;
        continue;
      }
      const match = this.markers.match(source, i);
      if (match.look === 'no') {
        this.sinceBlock = true;
        continue;
      }
      source.position = i;
      if (match.look === 'more') return { kind: 'more' };
      if (match.value === 'block-close') {
        this.blockClosed = true;
        this.sinceBlock = false;
        i += match.length - 1;
      } else if (this.blockClosed) {
        this.closed = { offset: source.offset, length: match.length };
        if (this.sinceBlock) return this.example(this.closed);
        source.position += match.length;
        return this.judge(this.closed);
      } else {
        this.doubtful ??= { offset: source.offset, length: match.length };
        this.sinceBlock = true;
      }
    }
    source.position = source.text.length;
    return source.final ? this.end() : { kind: 'more' };
  }

  /** A closer directly behind the call, and no answer behind it: the thought ended in the call, which counts (vllm-mlx #98). */
  private judge(closed: Closer): HeldVerdict {
    const { source } = this;
    source.position = afterSpace(source.text, source.position);
    if (source.position < source.text.length) return this.example(closed);
    return source.final ? { kind: 'calls', text: source.release(), offset: this.offset } : { kind: 'more' };
  }

  private example(closed: Closer): HeldVerdict {
    const text = this.source.release();
    const length = closed.offset - this.offset;
    const rest = text.slice(length) + this.source.text.slice(this.source.position);
    return { kind: 'example', text: text.slice(0, length), offset: this.offset, closerLength: closed.length, rest };
  }

  private end(): HeldVerdict {
    const text = this.source.release();
    if (this.doubtful === undefined || this.blockClosed) return { kind: 'calls', text, offset: this.offset };
    const length = this.doubtful.offset - this.offset;
    return { kind: 'example', text: text.slice(0, length), offset: this.offset, closerLength: this.doubtful.length, rest: text.slice(length) };
  }
}
