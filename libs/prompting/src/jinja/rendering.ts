import { concatenate, textOf } from '../python/data-text.js';
import type { Str } from '../python/values.js';
import type { Segment } from './trace.js';

/**
 * A rendering, as a linked path of segments: two renderings of one memo share a node exactly when they begin with the same segments,
 * so that what is new in one is found without looking at what is not.
 */
export class Rendering {
  readonly count: number;
  readonly lengthUtf16: number;
  private continuations: readonly Rendering[] = [];

  private constructor(readonly parent: Rendering | undefined, readonly segment: Segment) {
    this.count = parent === undefined ? 0 : parent.count + 1;
    this.lengthUtf16 = (parent?.lengthUtf16 ?? 0) + segment.lengthUtf16;
  }

  /** A rendering without text, from which others go on. */
  static empty(): Rendering {
    return new Rendering(undefined, NOTHING);
  }

  /** A rendering by a template that keeps no account of segments. */
  static of(text: Str): Rendering {
    return Rendering.empty().with({ text, lengthUtf16: textOf(text).length, generations: [] });
  }

  /** The rendering with one more segment; the same object as a while ago. */
  with(segment: Segment): Rendering {
    if (segment.lengthUtf16 === 0) return this;
    const known = this.continuations.find((rendering) => rendering.segment === segment);
    if (known !== undefined) return known;
    const rendering = new Rendering(this, segment);
    this.continuations = [rendering, ...this.continuations.slice(0, MOST_CONTINUATIONS - 1)];
    return rendering;
  }

  /** The renderings from one that this one continues to this one, without the first. */
  pathAfter(beginning: Rendering | undefined): readonly Rendering[] {
    const path: Rendering[] = this.parent === undefined || this === beginning ? [] : [this];
    for (let at = path[0]?.parent; at?.parent !== undefined && at !== beginning; at = at.parent) path.push(at);
    return path.reverse();
  }

  segmentsAfter(beginning: Rendering | undefined): readonly Segment[] {
    return this.pathAfter(beginning).map(({ segment }) => segment);
  }

  textAfter(beginning: Rendering | undefined): Str {
    return concatenate(...this.segmentsAfter(beginning).map(({ text }) => text));
  }
}

const NOTHING: Segment = { text: '', lengthUtf16: 0, generations: [] };

/** A prompt goes on in few ways: with the generation prompt, with its reply, with what came next. */
const MOST_CONTINUATIONS = 4;

/** The longest rendering that both continue; undefined when they come of different memos. */
export function commonBeginning(a: Rendering, b: Rendering): Rendering | undefined {
  let [left, right]: [Rendering | undefined, Rendering | undefined] = [a, b];
  while (left !== right && left !== undefined && right !== undefined) {
    const [leftCount, rightCount] = [left.count, right.count];
    if (leftCount >= rightCount) left = left.parent;
    if (rightCount >= leftCount) right = right.parent;
  }
  return left === right ? left : undefined;
}
