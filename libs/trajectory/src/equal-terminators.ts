import type { MergeOptions } from '@turnwright/contracts';
import { matchingLength, sliceSequence, type TokenSequence } from './token-tape.js';
import type { PlacedTurn } from './turn-tapes.js';

/** Ids that end a turn and stand for each other. */
export class EqualTerminators {
  private readonly classOf = new Map<number, number>();

  private constructor(sets: readonly (readonly number[])[]) {
    for (const [index, set] of sets.entries()) for (const id of set) this.classOf.set(id, index);
  }

  static from({ equalTerminators }: MergeOptions): EqualTerminators | undefined {
    return equalTerminators === undefined || equalTerminators.length === 0 ? undefined : new EqualTerminators(equalTerminators);
  }

  /**
   * Whether `placed` continues its parent but for terminators: the turns, the parent or before it, whose last token stands as another one of its set.
   *
   * undefined where it does not. Costs what lies behind the first difference.
   */
  substitutedBy(placed: PlacedTurn): ReadonlySet<PlacedTurn> | undefined {
    const { parent, prompt } = placed;
    if (parent === undefined || prompt.length < parent.end.length) return undefined;
    const ends = outputEnds(parent, placed.keptPrefix);
    const substituted = new Set<PlacedTurn>();
    for (let at = placed.keptPrefix; at < parent.end.length; ) {
      const owner = ends.get(at);
      if (owner === undefined || !this.equal(tokenAt(parent.end, at), tokenAt(prompt, at))) return undefined;
      substituted.add(owner);
      at += 1;
      at += matchingLength(parent.end, at, sliceSequence(prompt, at, parent.end.length));
    }
    return substituted;
  }

  private equal(a: number | undefined, b: number | undefined): boolean {
    const set = a === undefined ? undefined : this.classOf.get(a);
    return set !== undefined && b !== undefined && this.classOf.get(b) === set;
  }
}

/** The turns whose output ends at or after `from` in what `end` holds, by the position of their last token. */
function outputEnds(end: PlacedTurn, from: number): Map<number, PlacedTurn> {
  const ends = new Map<number, PlacedTurn>();
  let limit = Infinity;
  for (let turn: PlacedTurn | undefined = end; turn !== undefined && limit > from; turn = turn.parent) {
    const last = turn.end.length - 1;
    if (last >= from && last < limit && turn.turn.outputIds.length > 0) ends.set(last, turn);
    limit = Math.min(limit, turn.keptPrefix);
  }
  return ends;
}

function tokenAt(sequence: TokenSequence, at: number): number | undefined {
  return sliceSequence(sequence, at, at + 1)[0];
}
