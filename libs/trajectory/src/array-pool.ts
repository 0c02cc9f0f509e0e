type Numbers = Int32Array | Uint8Array | Float32Array;

/** Entries of the first array of a pool; each further one is twice as long, up to the longest. */
const FIRST = 1024;
const LONGEST = 1 << 18;

/**
 * Storage that only grows, in arrays that are never moved, so that a view of it stays good and nothing is copied twice.
 *
 * A small array of its own costs the runtime more than the numbers of a turn; and a session's turns lie behind each other.
 */
export class ArrayPool<T extends Numbers> {
  /** The array that is being filled. */
  array: T;
  private used = 0;
  private readonly create: (length: number) => T;

  constructor(create: (length: number) => T) {
    this.create = create;
    this.array = create(FIRST);
  }

  /** The start, in `array`, of room for `length` entries; it is given out again unless `keep` is called. */
  reserve(length: number): number {
    if (this.used + length > this.array.length) {
      this.array = this.create(Math.max(length, Math.min(this.array.length * 2, LONGEST)));
      this.used = 0;
    }
    return this.used;
  }

  /** Keeps the first `length` entries of what was reserved last. */
  keep(length: number): void {
    this.used += length;
  }
}
