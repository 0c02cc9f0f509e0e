import { LONGEST_TEXT_UTF16, TextBuilder, textOf } from '../python/data-text.js';
import { PythonError, type Str, type Value } from '../python/values.js';
import type { Lazy } from './lazy-set.js';
import type { RenderMemo } from './render-memo.js';
import { Rendering } from './rendering.js';
import type { Segment, Tracer } from './trace.js';

/** One rendering: what it was given, what it wrote, and where it stands. */
export class Run {
  out = new TextBuilder();
  /** The sink of the top level; `out` is another one inside a macro or a captured block. */
  top = this.out;
  tracer: Tracer | undefined;
  /** The frame of the outermost scope. */
  outermost: Frame | undefined;
  /** What the top level wrote before `out`. */
  rendering: Rendering;
  /** Of the statement or output that runs, for errors. */
  offset = 0;
  depth = 0;
  /** Start and end of what `generation` blocks wrote, UTF-16 units of the text of `top`. */
  private generations: (readonly [number, number])[] = [];

  constructor(readonly globals: ReadonlyMap<string, Value>, readonly memo: RenderMemo | undefined) {
    this.rendering = memo?.empty ?? Rendering.empty();
  }

  generated(text: Str): void {
    const start = this.top.text.length;
    this.generations.push([start, start + textOf(text).length]);
  }

  /** Ends what the top level wrote so far, outside of turns that have their own memo. */
  endLooseSegment(): void {
    if (this.top.text === '') return;
    const segment = this.takeSegment();
    this.add(this.memo === undefined ? segment : this.memo.stable(segment));
  }

  endSegment(): Segment {
    const segment = this.takeSegment();
    this.add(segment);
    return segment;
  }

  private takeSegment(): Segment {
    const text = this.top.build();
    const segment: Segment = { text, lengthUtf16: textOf(text).length, generations: this.generations };
    this.top = this.out = new TextBuilder();
    this.generations = [];
    return segment;
  }

  add(segment: Segment): void {
    this.goOn(this.rendering.with(segment));
  }

  /** Goes on after what is known to be what the top level would write. */
  goOn(rendering: Rendering): void {
    if (rendering.lengthUtf16 > LONGEST_TEXT_UTF16) throw new PythonError('MemoryError', `a text grew beyond ${LONGEST_TEXT_UTF16} UTF-16 units`);
    this.rendering = rendering;
  }

  finish(): Rendering {
    this.endLooseSegment();
    return this.rendering;
  }
}

/** The variables of one scope while it runs; a slot that nothing was assigned to is empty. */
export class Frame {
  readonly slots: (Value | Lazy | undefined)[];

  constructor(readonly run: Run, readonly parent: Frame | undefined, size: number) {
    this.slots = new Array<Value | Lazy | undefined>(size).fill(undefined);
  }

  /** The same frame with empty slots, for the next turn of a loop. */
  cleared(): this {
    this.slots.fill(undefined);
    return this;
  }
}

export type Evaluate = (frame: Frame) => Value;

/** What a statement's end means to the loop around it. */
export type Signal = 'next' | 'break' | 'continue';
export type Execute = (frame: Frame) => Signal;
