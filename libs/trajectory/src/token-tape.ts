import { equalLength } from './equal-length.js';

/** A run of tokens inside an array that others may share. */
interface Piece {
  readonly base: Int32Array;
  readonly from: number;
  /** Tokens from the start of the sequence to the piece. */
  readonly at: number;
  length: number;
}

/**
 * Token sequences that share their beginnings, each token stored once and never copied: a tape is a list of views.
 *
 * A tape holds the tokens from `base` on; what lies before is the parent's. A sequence is a prefix of a tape, and since only a tape's
 * end ever grows, a sequence never changes.
 */
class TokenTape {
  readonly parent: TokenTape | undefined;
  readonly base: number;
  readonly depth: number;
  readonly pieces: Piece[] = [];
  /** Tokens from the start of the sequence, the parents' included. */
  length: number;

  constructor(parent: TokenTape | undefined, base: number) {
    this.parent = parent;
    this.base = base;
    this.length = base;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  /** Runs that follow each other in one array become one piece, so that a long prompt is compared in few steps. */
  append(array: Int32Array, from: number, length: number): void {
    const last = this.pieces.at(-1);
    if (last !== undefined && last.base === array && last.from + last.length === from) last.length += length;
    else this.pieces.push({ base: array, from, at: this.length, length });
    this.length += length;
  }

  /** The piece that holds the token at `position`, or the first one. */
  pieceAt(position: number): number {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.pieces[middle]?.at ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
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

/** The sequence continued by `length` tokens of `array`, which must not change any more; also where it has been continued otherwise before. */
export function extendSequence(sequence: TokenSequence, array: Int32Array, from = 0, length = array.length - from): TokenSequence {
  if (length === 0) return sequence;
  const tape = sequence.tape.length === sequence.length ? sequence.tape : new TokenTape(sequence.tape, sequence.length);
  tape.append(array, from, length);
  return { tape, length: sequence.length + length };
}

/** Writes the sequence to the start of `target`. */
export function copySequence(sequence: TokenSequence, target: Int32Array): void {
  let at = 0;
  for (const { base, from, length } of runsFrom(sequence, 0)) {
    target.set(base.subarray(from, from + length), at);
    at += length;
  }
}

/** The tokens `[start, end)` of the sequence. */
export function sliceSequence(sequence: TokenSequence, start: number, end: number): Int32Array {
  const ids = new Int32Array(Math.max(end - start, 0));
  let at = 0;
  for (const { base, from, length } of end > start ? runsFrom(cutSequence(sequence, end), start) : []) {
    ids.set(base.subarray(from, from + length), at);
    at += length;
  }
  return ids;
}

/** How many of `ids` from `idsStart` on stand in the sequence from `start` on. */
export function matchingLength(sequence: TokenSequence, start: number, ids: ArrayLike<number>, idsStart = 0): number {
  let matched = 0;
  if (idsStart >= ids.length || start >= sequence.length) return 0;
  for (const { base, from, length } of runsFrom(sequence, start)) {
    const count = Math.min(length, ids.length - idsStart - matched);
    const same = equalLength(base, from, ids, idsStart + matched, count);
    matched += same;
    if (same < length) break;
  }
  return matched;
}

/** Extent of the common beginning; what two sequences share by construction is not compared. */
export function commonPrefixLength(a: TokenSequence, b: TokenSequence): number {
  let shared = sharedLength(a, b);
  for (const { base, from, length } of runsFrom(b, shared)) {
    const same = matchingLength(a, shared, base.subarray(from, from + length));
    shared += same;
    if (same < length) break;
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

interface Run {
  readonly base: Int32Array;
  readonly from: number;
  readonly length: number;
}

/** The tokens from `start` to the end of the sequence, in order. */
function runsFrom(sequence: TokenSequence, start: number): Run[] {
  const runs: Run[] = [];
  let end = sequence.length;
  for (let tape: TokenTape | undefined = sequence.tape; tape !== undefined && end > start; tape = tape.parent) {
    if (end <= tape.base) continue;
    const first = Math.max(start, tape.base);
    for (let index = tape.pieceAt(end - 1); index >= 0; index--) {
      const piece = tape.pieces[index];
      if (piece === undefined || piece.at + piece.length <= first) break;
      const skipped = Math.max(first - piece.at, 0);
      runs.push({ base: piece.base, from: piece.from + skipped, length: Math.min(piece.length, end - piece.at) - skipped });
    }
    end = tape.base;
  }
  return runs.reverse();
}
