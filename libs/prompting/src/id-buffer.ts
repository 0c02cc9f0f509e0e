/**
 * Ids that grow at their end, given out as views: a prompt that continues the one before it costs its new ids, and not a copy of all.
 *
 * What was given out is never written again; where another prompt goes another way, the ids before it are copied.
 */
export class IdBuffer {
  private ids = new Int32Array(1024);
  /** What views show of `ids`. */
  private shown = 0;
  length = 0;

  /** Forgets the ids from `length` on. */
  cut(length: number): void {
    this.length = length;
  }

  /** False when there are no ids to add. */
  add(added: Int32Array | undefined): boolean {
    if (added === undefined) return false;
    let same = 0;
    while (same < added.length && this.length + same < this.shown && this.ids[this.length + same] === added[same]) same++;
    this.length += same;
    const fresh = same === 0 ? added : added.subarray(same);
    if (fresh.length === 0) return true;
    if (this.length < this.shown || this.length + fresh.length > this.ids.length) this.copy(this.length + fresh.length);
    this.ids.set(fresh, this.length);
    this.length += fresh.length;
    return true;
  }

  view(): Int32Array {
    this.shown = Math.max(this.shown, this.length);
    return this.ids.subarray(0, this.length);
  }

  private copy(needed: number): void {
    const ids = new Int32Array(Math.max(2 * needed, 1024));
    ids.set(this.ids.subarray(0, this.length));
    [this.ids, this.shown] = [ids, 0];
  }
}
