import type { TurnRecord } from '@turnwright/contracts';
import { idsOf, type PlacedTurn } from './turn-tapes.js';
import { cutSequence, matchingLength } from './token-tape.js';

/**
 * Finds the turn that a prompt without a named parent continues: the deepest one whose prompt ++ output begins it (rllm #775).
 *
 * A rolling hash of every prefix of the prompt is held against the hashes at the turns' ends, so a search costs the prompt and not the
 * number of turns; a hit is compared token by token before it counts.
 */
export class RowEnds {
  /** 1 at every extent that some turn's prompt ++ output has. */
  private lengths = new Uint8Array(1024);
  private readonly endsByHash = new Map<number, PlacedTurn[]>();
  private readonly hashes = new Map<PlacedTurn, number>();

  add(placed: PlacedTurn): void {
    const { turn, end } = placed;
    const promptHash = placed.keptPrefix === placed.parent?.end.length ? this.hashes.get(placed.parent) : undefined;
    const start = promptHash ?? hashOf(idsOf(cutSequence(end, placed.keptPrefix)), 0);
    const tail = turn.promptTail.subarray(turn.promptTail.length - (placed.prompt.length - placed.keptPrefix));
    const hash = hashOf(turn.outputIds, hashOf(tail, start));
    this.hashes.set(placed, hash);
    const sameHash = this.endsByHash.get(hash);
    if (sameHash === undefined) this.endsByHash.set(hash, [placed]);
    else sameHash.push(placed);
    this.mark(end.length);
  }

  /** Among ends of one extent, one that nothing continues yet is taken first. */
  find(turn: TurnRecord, continued: ReadonlySet<PlacedTurn>): PlacedTurn | undefined {
    const candidates = this.candidates(turn);
    for (let i = candidates.length - 1; i >= 0; i--) {
      const ends = (candidates[i] ?? []).filter(({ end }) => matchingLength(end, 0, turn.promptTail) === end.length);
      const found = ends.find((end) => !continued.has(end)) ?? ends[0];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private candidates({ promptTail }: TurnRecord): PlacedTurn[][] {
    const found: PlacedTurn[][] = [];
    const { lengths } = this;
    const last = Math.min(promptTail.length, lengths.length - 1);
    let hash = 0;
    for (let i = 0; ; i++) {
      if (lengths[i] === 1) {
        const ends = this.endsAt(hash, i);
        if (ends.length > 0) found.push(ends);
      }
      // Reading past the end of a typed array would make the whole loop slow.
      if (i === last) return found;
      hash = hashStep(hash, promptTail[i] ?? 0);
    }
  }

  private endsAt(hash: number, length: number): PlacedTurn[] {
    return (this.endsByHash.get(hash) ?? []).filter(({ end }) => end.length === length);
  }

  private mark(length: number): void {
    if (length >= this.lengths.length) {
      const grown = new Uint8Array(Math.max(length + 1, this.lengths.length * 2));
      grown.set(this.lengths);
      this.lengths = grown;
    }
    this.lengths[length] = 1;
  }
}

function hashOf(ids: Int32Array, start: number): number {
  let hash = start;
  for (let i = 0; i < ids.length; i++) hash = hashStep(hash, ids[i] ?? 0);
  return hash;
}

function hashStep(hash: number, id: number): number {
  return (Math.imul(hash, 0x01000193) + id + 1) | 0;
}
