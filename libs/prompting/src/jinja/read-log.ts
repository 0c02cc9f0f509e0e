import { isList, type Value } from '../python/values.js';
import { sharedLength } from '../shared-lists.js';
import type { Frame } from './frame.js';
import { bothBounds, isWithin, keyOfRead, numberNow, readHolds, type BoundedRead, type Bounds, type OuterVariable, type Read, type Trace } from './trace.js';

interface DatedRead {
  /** The turn that first needed it. */
  readonly turn: number;
  readonly read: Read;
}

/** The reads of a loop's turns, each once, in the order of the turns. */
export class ReadLog {
  private readonly reads: DatedRead[] = [];
  private readonly items = new Map<string, ItemReads>();
  private readonly bounds = new Map<string, BoundedReads>();
  private readonly keys = new Set<string>();

  /** Takes down what no turn before read or wrote. */
  add(turn: number, { reads, bounds }: Pick<Trace, 'reads' | 'bounds'>, written: ReadonlyMap<string, unknown>, outermost: Frame | undefined): void {
    for (const read of reads) {
      const key = keyOfRead(read);
      if (this.keys.has(key) || written.has(key)) continue;
      this.keys.add(key);
      if (read.part.kind === 'item' && typeof read.part.item === 'number' && read.part.item >= 0 && outermost !== undefined) this.itemReads(read.variable, outermost).add({ turn, read }, read.part.item);
      else this.reads.push({ turn, read });
    }
    for (const read of bounds) {
      const key = keyOfRead(read);
      if (written.has(key)) continue;
      const known = this.bounds.get(key) ?? new BoundedReads(read);
      this.bounds.set(key, known);
      known.add(turn, read);
    }
  }

  /** How many of the first turns would read now what they read then. */
  held(turns: number, outermost: Frame): number {
    const changed = this.reads.find(({ turn, read }) => turn >= turns || !readHolds(read, outermost));
    const held = Math.min(turns, changed?.turn ?? turns);
    return [...this.items.values(), ...this.bounds.values()].reduce((least, reads) => Math.min(least, reads.held(held, outermost)), held);
  }

  truncate(turns: number): void {
    const forget = (reads: DatedRead[]): void => {
      for (let last = reads.at(-1); last !== undefined && last.turn >= turns; last = reads.at(-1)) {
        this.keys.delete(keyOfRead(last.read));
        reads.pop();
      }
    };
    forget(this.reads);
    for (const [name, { reads }] of this.items) {
      forget(reads);
      if (reads.length === 0) this.items.delete(name);
    }
    for (const [key, bounds] of this.bounds) {
      bounds.truncate(turns);
      if (bounds.isEmpty) this.bounds.delete(key);
    }
  }

  private itemReads(variable: OuterVariable, outermost: Frame): ItemReads {
    const known = this.items.get(variable.name) ?? new ItemReads(variable, variable.read(outermost));
    this.items.set(variable.name, known);
    return known;
  }
}

/**
 * Elements of one list that were read: where the list begins as it began then they are the same without a look, so that neighbours
 * which each turn looks at cost nothing later.
 */
class ItemReads {
  readonly reads: (DatedRead & { readonly furthest: number })[] = [];

  constructor(private readonly variable: OuterVariable, private list: Value) {}

  add(read: DatedRead, index: number): void {
    this.reads.push({ ...read, furthest: Math.max(index, this.reads.at(-1)?.furthest ?? 0) });
  }

  held(turns: number, outermost: Frame): number {
    const list = this.variable.read(outermost);
    const shared = isList(list) && isList(this.list) ? sharedLength(list, this.list) : 0;
    this.list = list;
    for (let index = firstWhere(this.reads, ({ furthest }) => furthest >= shared); index < this.reads.length; index++) {
      const entry = this.reads[index];
      if (entry === undefined || entry.turn >= turns) break;
      if (!readHolds(entry.read, outermost)) return entry.turn;
    }
    return turns;
  }
}

/** Between which integers one number must lie, for the turns up to each one that compared it. */
class BoundedReads {
  private readonly ends: (Bounds & { readonly turn: number })[] = [];

  constructor(private readonly read: Pick<BoundedRead, 'variable' | 'part'>) {}

  get isEmpty(): boolean {
    return this.ends.length === 0;
  }

  add(turn: number, bounds: Bounds): void {
    this.ends.push({ turn, ...bothBounds(this.ends.at(-1), bounds) });
  }

  held(turns: number, outermost: Frame): number {
    const value = numberNow(this.read, outermost);
    return Math.min(turns, this.ends[firstWhere(this.ends, (bounds) => !isWithin(value, bounds))]?.turn ?? turns);
  }

  truncate(turns: number): void {
    while ((this.ends.at(-1)?.turn ?? -1) >= turns) this.ends.pop();
  }
}

/** The first entry of which something holds that holds of all after it. */
function firstWhere<T>(entries: readonly T[], holds: (entry: T) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
