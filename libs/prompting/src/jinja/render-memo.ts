import { LoopHistory } from './loop-history.js';
import { Rendering } from './rendering.js';
import { ScanHistory } from './scan-history.js';
import { sameText, type Segment, type Trace } from './trace.js';

/** Traces of a loop's turns, by the item that the turn was for; they live as long as the item. */
export class RenderMemo {
  /** Where all renderings begin. */
  readonly empty = Rendering.empty();
  private readonly loops = new Map<object, WeakMap<object, Trace[]>>();

  private recent: readonly Segment[] = [];
  private readonly scans = new Map<object, ScanHistory>();
  private readonly histories = new Map<object, LoopHistory>();

  /** The same segment as a while ago, when it says the same: the text before a loop, and after it. */
  stable(segment: Segment): Segment {
    const known = this.recent.find((other) => sameText(other.text, segment.text));
    if (known !== undefined && segment.generations.length + known.generations.length === 0) return known;
    this.recent = [segment, ...this.recent.slice(0, MOST_RECENT - 1)];
    return segment;
  }

  scanOf(loop: object): ScanHistory {
    const scan = this.scans.get(loop) ?? new ScanHistory();
    this.scans.set(loop, scan);
    return scan;
  }

  historyOf(loop: object): LoopHistory {
    const history = this.histories.get(loop) ?? new LoopHistory();
    this.histories.set(loop, history);
    return history;
  }

  tracesOf(loop: object, item: object): readonly Trace[] {
    return this.loops.get(loop)?.get(item) ?? [];
  }

  add(loop: object, item: object, trace: Trace): void {
    const items = this.loops.get(loop) ?? new WeakMap<object, Trace[]>();
    this.loops.set(loop, items);
    const traces = items.get(item) ?? [];
    items.set(item, [trace, ...traces.slice(0, MOST_TRACES - 1)]);
  }
}

const MOST_RECENT = 16;

/** A message is last, then followed by others, before and after the last question: few ways in all. */
const MOST_TRACES = 4;
