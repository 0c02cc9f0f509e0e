import type { MarkerStep } from '@turnwright/contracts';
import { MarkerSet } from '../source/markers.js';
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

/**
 * Waits, from a call's opener inside reasoning, for the reasoning closer or the end of the output.
 *
 * A closer that stands before the call's block is closed may be text in one of its arguments; it counts only if the block never closes.
 */
export class HeldReasoning {
  private readonly offset: number;
  private readonly markers: MarkerSet<'reasoning-close' | 'block-close'>;
  private blockClosed = false;
  private doubtful: { readonly offset: number; readonly length: number } | undefined;

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
    for (let i = source.position; i < source.text.length; i++) {
      if (!this.markers.canBegin(source.text.charCodeAt(i))) continue;
      const match = this.markers.match(source, i);
      if (match.look === 'no') continue;
      source.position = i;
      if (match.look === 'more') return { kind: 'more' };
      if (match.value === 'block-close') this.blockClosed = true;
      else if (this.blockClosed) return { kind: 'example', text: source.release(), offset: this.offset, closerLength: match.length };
      else this.doubtful ??= { offset: source.offset, length: match.length };
    }
    source.position = source.text.length;
    return source.final ? this.end() : { kind: 'more' };
  }

  private end(): HeldVerdict {
    const text = this.source.release();
    if (this.doubtful === undefined || this.blockClosed) return { kind: 'calls', text, offset: this.offset };
    const length = this.doubtful.offset - this.offset;
    return { kind: 'example', text: text.slice(0, length), offset: this.offset, closerLength: this.doubtful.length, rest: text.slice(length) };
  }
}
