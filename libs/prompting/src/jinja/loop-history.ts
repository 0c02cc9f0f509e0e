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
  private readonly traces: Trace[] = [];
  private readonly reads: Dated<Read>[] = [];
  private readonly written: Dated<Write>[] = [];
  private readonly readKeys = new Set<string>();
  /** By what was written, the first turn that did. */
  private readonly writtenKeys = new Map<string, number>();

  /** Turns that need not be run for these items; what they left is written. Begins a new run's history after them. */
  resume(items: readonly Value[], outermost: Frame): readonly Trace[] {
    const turns = this.sharedTurns(items);
    const valid = turns > 0 && this.reads.every(({ turn, entry }) => turn >= turns || readHolds(entry, outermost));
    this.truncate(valid ? turns : 0);
    this.items = items;
    repeatWrites(this.written.map(({ entry }) => entry), outermost);
    return this.traces;
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
      const key = keyOfWrite(write);
      if (!this.writtenKeys.has(key)) this.writtenKeys.set(key, index);
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
    this.traces.length = Math.min(turns, this.traces.length);
    for (let read = this.reads.at(-1); read !== undefined && read.turn >= turns; read = this.reads.at(-1)) {
      this.readKeys.delete(keyOfRead(read.entry));
      this.reads.pop();
    }
    for (let write = this.written.at(-1); write !== undefined && write.turn >= turns; write = this.written.at(-1)) this.written.pop();
    for (const [key, turn] of this.writtenKeys) if (turn >= turns) this.writtenKeys.delete(key);
  }
}

function keyOfWrite({ variable, attribute }: Write): string {
  return keyOfRead({ variable, part: { kind: 'attribute', name: attribute } });
}
