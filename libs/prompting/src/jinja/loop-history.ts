import { sharedLength } from '../shared-lists.js';
import type { Value } from '../python/values.js';
import type { Run } from './frame.js';
import { ReadLog } from './read-log.js';
import type { Rendering } from './rendering.js';
import { keyOfWrite, repeatWrites, type Trace, type Write } from './trace.js';

/**
 * The turns of a loop's last run, added up: what all of them together read before the loop, and what they left written.
 *
 * When the next run has the same items first, those turns are repeated at once: what they read is checked once, not turn by turn, and
 * what they wrote is where the last rendering stood after them. Cost grows with the turns that are new.
 */
export class LoopHistory {
  private items: readonly Value[] = [];
  private readonly traces: Trace[] = [];
  /** Where the rendering stood before the loop, and after each turn. */
  private begun: Rendering | undefined;
  private readonly after: Rendering[] = [];
  private readonly reads = new ReadLog();
  /** By what was written, the turns that did, with what they left. */
  private readonly written = new Map<string, { readonly turn: number; readonly write: Write }[]>();
  /** The first turn that asked how many items there are. */
  private firstCounting = Infinity;

  /** Does the turns again that need not be run for these items, and begins a new run's history after them. Returns how many. */
  resume(items: readonly Value[], run: Run): number {
    const { outermost } = run;
    const turns = this.sharedTurns(items);
    const kept = outermost === undefined || turns === 0 ? 0 : this.reads.held(turns, outermost);
    this.truncate(kept);
    this.items = items;
    if (outermost !== undefined) repeatWrites([...this.written.values()].flatMap((writes) => writes.at(-1)?.write ?? []), outermost);
    this.goOn(run);
    return kept;
  }

  /** The trace of the turn that was just written, which read what it read before the loop unless a turn before it wrote it. */
  add(index: number, trace: Trace, run: Run): void {
    if (index !== this.traces.length || trace.signal === 'break') return;
    this.traces.push(trace);
    this.after.push(run.rendering);
    this.reads.add(index, trace, this.written, run.outermost);
    for (const write of trace.writes) {
      const key = keyOfWrite(write);
      const writes = this.written.get(key) ?? [];
      writes.push({ turn: index, write });
      this.written.set(key, writes);
    }
    if (trace.readsCount) this.firstCounting = Math.min(this.firstCounting, index);
  }

  /** Turns whose items, and the items after them, are the same: `last` is false in both runs, and neighbours are the same. */
  private sharedTurns(items: readonly Value[]): number {
    const turns = Math.max(0, Math.min(sharedLength(items, this.items) - 1, this.traces.length));
    return items.length === this.items.length ? turns : Math.min(turns, this.firstCounting);
  }

  private truncate(turns: number): void {
    this.traces.length = this.after.length = Math.min(turns, this.traces.length);
    this.reads.truncate(turns);
    for (const [key, writes] of this.written) {
      while ((writes.at(-1)?.turn ?? -1) >= turns) writes.pop();
      if (writes.length === 0) this.written.delete(key);
    }
    if (this.firstCounting >= turns) this.firstCounting = Infinity;
  }

  /** After what was written before the loop, what the kept turns wrote. */
  private goOn(run: Run): void {
    if (run.rendering !== this.begun) {
      this.begun = run.rendering;
      let at = run.rendering;
      for (const [index, { segment }] of this.traces.entries()) this.after[index] = at = at.with(segment);
    }
    run.goOn(this.after.at(-1) ?? run.rendering);
  }
}
