/**
 * Token sequences that share their beginnings, each token stored once.
 *
 * A tape holds the tokens from `base` on; what lies before is the parent's. A sequence is a prefix of a tape, and since only a tape's
 * end ever grows, a sequence never changes.
 */
class TokenTape {
  readonly parent: TokenTape | undefined;
  readonly base: number;
  readonly depth: number;
  tokens = new Int32Array(16);
  /** Tokens from the start of the sequence, the parents' included. */
  length: number;

  constructor(parent: TokenTape | undefined, base: number) {
    this.parent = parent;
    this.base = base;
    this.length = base;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  append(ids: Int32Array): void {
    const own = this.length - this.base;
    if (own + ids.length > this.tokens.length) {
      const grown = new Int32Array(Math.max(own + ids.length, this.tokens.length * 2));
      grown.set(this.tokens.subarray(0, own));
      this.tokens = grown;
    }
    this.tokens.set(ids, own);
    this.length += ids.length;
  }
}

/** A token sequence: the first `length` tokens of a tape. */
export interface TokenSequence {
  readonly tape: TokenTape;
  readonly length: number;
}

/** Where every sequence of one session begins. */
export function emptySequence(): TokenSequence {
  return { tape: new TokenTape(undefined, 0), length: 0 };
}

/** The sequence cut to `length` tokens. */
export function cutSequence(sequence: TokenSequence, length: number): TokenSequence {
  let tape = sequence.tape;
  while (tape.parent !== undefined && length <= tape.base) tape = tape.parent;
  return { tape, length };
}

/** The sequence continued; costs only the new tokens, also where the sequence has been continued otherwise before. */
export function extendSequence(sequence: TokenSequence, ids: Int32Array): TokenSequence {
  const atEnd = sequence.tape.length === sequence.length;
  const tape = atEnd || ids.length === 0 ? sequence.tape : new TokenTape(sequence.tape, sequence.length);
  if (ids.length > 0) tape.append(ids);
  return { tape, length: sequence.length + ids.length };
}

/** Writes the sequence to the start of `target`. */
export function copySequence(sequence: TokenSequence, target: Int32Array): void {
  let end = sequence.length;
  for (let tape: TokenTape | undefined = sequence.tape; tape !== undefined; tape = tape.parent) {
    if (end <= tape.base) continue;
    target.set(tape.tokens.subarray(0, end - tape.base), tape.base);
    end = tape.base;
  }
}

/** How many of `ids` stand in the sequence from `start` on. */
export function matchingLength(sequence: TokenSequence, start: number, ids: ArrayLike<number>): number {
  let matched = 0;
  for (const run of runsFrom(sequence, start)) {
    const count = Math.min(run.length, ids.length - matched);
    const same = ids instanceof Int32Array ? equalRun(run, 0, ids, matched, count) : equalRunPlain(run, ids, matched, count);
    matched += same;
    if (same < run.length) break;
  }
  return matched;
}

/** Extent of the common beginning; what two sequences share by construction is not compared. */
export function commonPrefixLength(a: TokenSequence, b: TokenSequence): number {
  let shared = sharedLength(a, b);
  for (const run of runsFrom(b, shared)) {
    const same = matchingLength(a, shared, run);
    shared += same;
    if (same < run.length) break;
  }
  return shared;
}

function sharedLength(a: TokenSequence, b: TokenSequence): number {
  let [x, y]: (TokenTape | undefined)[] = [a.tape, b.tape];
  let length = Math.min(a.length, b.length);
  while (x !== y && x !== undefined && y !== undefined) {
    const deeper: number = x.depth - y.depth;
    if (deeper >= 0) [length, x] = [Math.min(length, x.base), x.parent];
    if (deeper <= 0) [length, y] = [Math.min(length, y.base), y.parent];
  }
  return x === y ? length : 0;
}

/** The tokens from `start` to the end of the sequence, in order, as views. */
function runsFrom(sequence: TokenSequence, start: number): Int32Array[] {
  const runs: Int32Array[] = [];
  let end = sequence.length;
  for (let tape: TokenTape | undefined = sequence.tape; tape !== undefined && end > start; tape = tape.parent) {
    if (end <= tape.base) continue;
    runs.push(tape.tokens.subarray(Math.max(start, tape.base) - tape.base, end - tape.base));
    end = tape.base;
  }
  return runs.reverse();
}

const BLOCK = 1024;

/** Blocks are compared as bytes, so that a long common beginning costs little; the last block is searched token by token. */
function equalRun(a: Int32Array, aStart: number, b: Int32Array, bStart: number, count: number): number {
  let same = 0;
  if (count >= BLOCK) {
    const [x, y] = [bytesOf(a), bytesOf(b)];
    while (count - same >= BLOCK) {
      const [p, q] = [(aStart + same) * 4, (bStart + same) * 4];
      if (x.compare(y, q, q + BLOCK * 4, p, p + BLOCK * 4) !== 0) break;
      same += BLOCK;
    }
  }
  while (same < count && a[aStart + same] === b[bStart + same]) same++;
  return same;
}

function equalRunPlain(a: Int32Array, b: ArrayLike<number>, bStart: number, count: number): number {
  let same = 0;
  while (same < count && a[same] === b[bStart + same]) same++;
  return same;
}

function bytesOf(ids: Int32Array): Buffer {
  return Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength);
}
