/** The first array of a pool; each further one is twice as large, up to the largest. */
const FIRST = 1024;
const LARGEST = 1 << 18;

/** Where ids lie. */
export interface PooledRun {
  readonly array: Int32Array;
  readonly from: number;
  readonly length: number;
}

/**
 * Storage that only grows, in arrays that are never moved, so that a view of it stays good and no token is copied twice.
 *
 * A session's turns, recorded one after another, lie behind each other.
 */
export class TokenPool {
  private array = new Int32Array(FIRST);
  private used = 0;

  /** Room for `length` tokens behind what is kept; it is given out again unless `keep` is called. */
  reserve(length: number): PooledRun {
    if (this.used + length > this.array.length) {
      this.array = new Int32Array(Math.max(length, Math.min(this.array.length * 2, LARGEST)));
      this.used = 0;
    }
    return { array: this.array, from: this.used, length };
  }

  /** Keeps the first `length` tokens of what was reserved last. */
  keep(length: number): void {
    this.used += length;
  }
}
