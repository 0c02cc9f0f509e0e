import type { Value } from '../python/values.js';
import { sharedLength } from '../shared-lists.js';
import type { Frame, Signal } from './frame.js';
import { keyOfRead, readHolds, type Read, type Tracer } from './trace.js';

/** Turns that did nothing, and what of the outside all of them together looked at. */
interface IdleRegion {
  readonly start: number;
  readonly end: number;
  readonly reads: ReadonlyMap<string, Read>;
}

/**
 * The turns of a loop's last run that did nothing, for a loop that walks messages from the last one back.
 *
 * Such a loop looks for the last question, say: it passes what an agent did since then, at every turn more. In the next run the same
 * items stand at the end of the list; those that did nothing then do nothing now if what they looked at is as it was.
 */
export class ScanHistory {
  private list: readonly Value[] = [];
  private regions: readonly IdleRegion[] = [];

  /** `list` is what is walked from its end. */
  begin(list: readonly Value[]): ScanRun {
    const shared = sharedLength(list, this.list);
    const moved = list.length - this.list.length;
    const first = this.list.length - shared;
    const known = this.regions.flatMap(({ start, end, reads }) => (end <= first ? [] : [{ start: Math.max(start, first) + moved, end: end + moved, reads }]));
    const run = new ScanRun(known);
    this.list = list;
    this.regions = run.regions;
    return run;
  }
}

export class ScanRun {
  readonly regions: IdleRegion[] = [];

  constructor(private readonly known: readonly IdleRegion[]) {}

  /** The turn to go on with: this one, or the one after those that are known to do nothing. */
  next(index: number, outermost: Frame): number {
    const region = this.known.find(({ start, end }) => start <= index && index < end);
    if (region === undefined) return index;
    for (const read of region.reads.values()) if (!readHolds(read, outermost)) return index;
    this.idle({ ...region, start: index });
    return region.end;
  }

  ran(index: number, tracer: Tracer, signal: Signal): void {
    if (signal === 'next' && !tracer.opaque && tracer.writes.size + tracer.loopReads.size + tracer.bounds.size === 0) this.idle({ start: index, end: index + 1, reads: tracer.reads });
  }

  private idle(region: IdleRegion): void {
    const last = this.regions.at(-1);
    if (last?.end !== region.start) this.regions.push(region);
    else this.regions[this.regions.length - 1] = { start: last.start, end: region.end, reads: joined(last.reads, region.reads) };
  }
}

function joined(a: ReadonlyMap<string, Read>, b: ReadonlyMap<string, Read>): ReadonlyMap<string, Read> {
  const missing = [...b.values()].filter((read) => !a.has(keyOfRead(read)));
  return missing.length === 0 ? a : new Map([...a, ...missing.map((read) => [keyOfRead(read), read] as const)]);
}
