import type { ModelJson } from './tokenizer-files.js';

/** The merges of a model: for a pair of ids its rank, and for a rank the id that the pair becomes. */
export class PairTable {
  private readonly mask: number;
  private readonly keys: Float64Array;
  private readonly ranks: Int32Array;
  private readonly idOfRank: Int32Array;

  constructor(model: ModelJson, vocabulary: ReadonlyMap<string, number>) {
    const { merges } = model;
    const capacity = 2 ** Math.ceil(Math.log2(merges.length * 2 + 2));
    this.mask = capacity - 1;
    this.keys = new Float64Array(capacity).fill(-1);
    this.ranks = new Int32Array(capacity);
    this.idOfRank = new Int32Array(merges.length);
    for (let rank = 0; rank < merges.length; rank++) this.add(merges[rank] ?? '', rank, vocabulary);
  }

  /** The rank of the pair, or -1. */
  rankOf(left: number, right: number): number {
    const key = left * PAIR_BASE + right;
    let place = this.placeOf(left, right);
    for (let found = this.keys[place]; found !== -1; found = this.keys[place]) {
      if (found === key) return this.ranks[place] ?? -1;
      place = (place + 1) & this.mask;
    }
    return -1;
  }

  idOf(rank: number): number {
    return this.idOfRank[rank] ?? 0;
  }

  private add(entry: string | readonly string[], rank: number, vocabulary: ReadonlyMap<string, number>): void {
    // A merge in one string is cut at its space; a token of one may itself hold a space only in the other form.
    const [left = '', right = ''] = typeof entry === 'string' ? entry.split(' ') : entry;
    const [leftId, rightId, id] = [vocabulary.get(left), vocabulary.get(right), vocabulary.get(left + right)];
    if (leftId === undefined || rightId === undefined || id === undefined) return;
    this.idOfRank[rank] = id;
    let place = this.placeOf(leftId, rightId);
    const key = leftId * PAIR_BASE + rightId;
    while (this.keys[place] !== -1 && this.keys[place] !== key) place = (place + 1) & this.mask;
    this.keys[place] = key;
    this.ranks[place] = rank;
  }

  private placeOf(left: number, right: number): number {
    return (Math.imul(left, 0x9e3779b1) ^ Math.imul(right + 1, 0x85ebca77) ^ (Math.imul(left + right, 0xc2b2ae3d) >>> 15)) & this.mask;
  }
}

/** More than any vocabulary has; a pair of ids below it is one exact number. */
const PAIR_BASE = 2 ** 24;
