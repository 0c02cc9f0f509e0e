/** A way to cut an output into what a stream would deliver. */
export interface Cut {
  readonly name: string;
  readonly pieces: readonly string[];
}

/** Two-way cuts of outputs longer than this are sampled evenly. */
const TWO_WAY_MAX = 400;

/** Whole, UTF-16 unit by unit, two to seven at a time, in two at every place, and at seeded random places. */
export function cutsOf(text: string, seed: number): readonly Cut[] {
  const sizes = [1, 2, 3, 5, 7].map((size) => ({ name: `${String(size)} at a time`, pieces: piecesOf(text, size) }));
  const step = Math.max(1, Math.ceil(text.length / TWO_WAY_MAX));
  const twoWay: Cut[] = [];
  for (let at = 1; at < text.length; at += step) twoWay.push({ name: `at ${String(at)}`, pieces: [text.slice(0, at), text.slice(at)] });
  return [{ name: 'whole', pieces: [text] }, ...sizes, ...twoWay, ...[0, 1, 2].map((round) => ({ name: `random ${String(seed + round)}`, pieces: randomPieces(text, seed + round) }))];
}

export function piecesOf(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

/** Seeded, so that a failure can be run again. */
export function randomPieces(text: string, seed: number): readonly string[] {
  const next = generator(seed);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(next() ** 3 * 24);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** mulberry32: small, and good enough to choose places. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
