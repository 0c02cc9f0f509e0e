import type { Value } from '../python/values.js';
import type { Frame } from './frame.js';
import { keyOfRead, readHolds, repeatWrites, type Read, type Trace, type Write } from './trace.js';

interface Dated<T> {
  /** The turn that first needed it, or that did it. */
  readonly turn: number;
  readonly entry: T;
}

/**
 * The turns of a loop's last run, added up: what all of them together read before the loop, and what they left written.
 *
 * When the next run has the same items first, those turns are repeated at once: what they read is checked once, not turn by turn.
 */
export class LoopHistory {
  private items: readonly Value[] = [];
  private traces: Trace[] = [];
  private reads: Dated<Read>[] = [];
  private written: Dated<Write>[] = [];
  private readonly readKeys = new Set<string>();
  private readonly writtenKeys = new Set<string>();

  /** Turns that need not be run for these items; what they left is written. Begins a new run's history after them. */
  resume(items: readonly Value[], outermost: Frame): readonly Trace[] {
    const turns = this.sharedTurns(items);
    const valid = turns > 0 && this.reads.every(({ turn, entry }) => turn >= turns || readHolds(entry, outermost));
    this.truncate(valid ? turns : 0);
    this.items = items;
    repeatWrites(this.written.map(({ entry }) => entry), outermost);
    return this.traces.slice();
  }

  /** The trace of the next turn, which read what it read before the loop unless a turn before it wrote it. */
  add(index: number, trace: Trace): void {
    if (index !== this.traces.length || trace.signal === 'break') return;
    this.traces.push(trace);
    for (const read of trace.reads) {
      const key = keyOfRead(read);
      if (this.readKeys.has(key) || this.writtenKeys.has(key)) continue;
      this.readKeys.add(key);
      this.reads.push({ turn: index, entry: read });
    }
    for (const write of trace.writes) {
      this.writtenKeys.add(keyOfRead({ variable: write.variable, part: { kind: 'attribute', name: write.attribute } }));
      this.written.push({ turn: index, entry: write });
    }
  }

  /** Turns whose items, and the items after them, are the same: `last` is false in both runs, and neighbours are the same. */
  private sharedTurns(items: readonly Value[]): number {
    const longest = Math.min(this.items.length, items.length);
    let same = 0;
    while (same < longest && items[same] === this.items[same]) same++;
    let turns = Math.max(0, Math.min(same - 1, this.traces.length));
    if (items.length !== this.items.length) {
      const counting = this.traces.findIndex(({ readsCount }) => readsCount);
      if (counting >= 0) turns = Math.min(turns, counting);
    }
    return turns;
  }

  private truncate(turns: number): void {
    if (turns === this.traces.length) return;
    this.traces.length = turns;
    this.reads = this.reads.filter(({ turn }) => turn < turns);
    this.written = this.written.filter(({ turn }) => turn < turns);
    this.readKeys.clear();
    this.writtenKeys.clear();
    for (const { entry } of this.reads) this.readKeys.add(keyOfRead(entry));
    for (const { entry } of this.written) this.writtenKeys.add(keyOfRead({ variable: entry.variable, part: { kind: 'attribute', name: entry.attribute } }));
  }
}
