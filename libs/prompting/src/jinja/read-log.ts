import { isList, type Value } from '../python/values.js';
import { sharedLength } from '../shared-lists.js';
import type { Frame } from './frame.js';
import { keyOfRead, readHolds, type OuterVariable, type Read } from './trace.js';

interface DatedRead {
  /** The turn that first needed it. */
  readonly turn: number;
  readonly read: Read;
}

/** The reads of a loop's turns, each once, in the order of the turns. */
export class ReadLog {
  private readonly reads: DatedRead[] = [];
  private readonly items = new Map<string, ItemReads>();
  private readonly keys = new Set<string>();

  /** Takes down what no turn before read or wrote. */
  add(turn: number, reads: readonly Read[], written: ReadonlyMap<string, unknown>, outermost: Frame | undefined): void {
    for (const read of reads) {
      const key = keyOfRead(read);
      if (this.keys.has(key) || written.has(key)) continue;
      this.keys.add(key);
      if (read.part.kind === 'item' && typeof read.part.item === 'number' && read.part.item >= 0 && outermost !== undefined) this.itemReads(read.variable, outermost).add({ turn, read }, read.part.item);
      else this.reads.push({ turn, read });
    }
  }

  /** Whether the first turns would read now what they read then. */
  hold(turns: number, outermost: Frame): boolean {
    return this.reads.every(({ turn, read }) => turn >= turns || readHolds(read, outermost)) && [...this.items.values()].every((items) => items.hold(turns, outermost));
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

  hold(turns: number, outermost: Frame): boolean {
    const list = this.variable.read(outermost);
    const shared = isList(list) && isList(this.list) ? sharedLength(list, this.list) : 0;
    for (let index = firstBeyond(this.reads, shared); index < this.reads.length; index++) {
      const entry = this.reads[index];
      if (entry === undefined || entry.turn >= turns) break;
      if (!readHolds(entry.read, outermost)) return false;
    }
    this.list = list;
    return true;
  }
}

/** The first of the reads that looks at `length` or further; what they look at furthest only grows. */
function firstBeyond(reads: readonly { readonly furthest: number }[], length: number): number {
  let [low, high] = [0, reads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((reads[middle]?.furthest ?? 0) < length) low = middle + 1;
    else high = middle;
  }
  return low;
}
