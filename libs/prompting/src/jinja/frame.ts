import { TextBuilder } from '../python/data-text.js';
import type { Value } from '../python/values.js';

/** One rendering: what it was given, what it wrote, and where it stands. */
export class Run {
  out = new TextBuilder();
  /** Of the statement or output that runs, for errors. */
  offset = 0;
  depth = 0;
  readonly top = this.out;
  /** Start and end of what `generation` blocks wrote, UTF-16 units of the top level's text. */
  readonly generations: (readonly [number, number])[] = [];

  constructor(readonly globals: ReadonlyMap<string, Value>) {}
}

/** The variables of one scope while it runs; a slot that nothing was assigned to is empty. */
export class Frame {
  readonly slots: (Value | undefined)[];

  constructor(readonly run: Run, readonly parent: Frame | undefined, size: number) {
    this.slots = new Array<Value | undefined>(size).fill(undefined);
  }
}

export type Evaluate = (frame: Frame) => Value;

/** What a statement's end means to the loop around it. */
export type Signal = 'next' | 'break' | 'continue';
export type Execute = (frame: Frame) => Signal;
