import { AgentError, type TurnRecord } from '@turnwright/contracts';
import { commonPrefixLength, copySequence, cutSequence, emptySequence, extendSequence, matchingLength, type TokenSequence } from './token-tape.js';

/** A turn, laid on the session's tapes. */
export interface PlacedTurn {
  readonly turn: TurnRecord;
  readonly parent: PlacedTurn | undefined;
  /** Tokens that the prompt has in common with the parent's prompt ++ output. */
  readonly keptPrefix: number;
  readonly prompt: TokenSequence;
  /** Prompt ++ output. */
  readonly end: TokenSequence;
}

/** Where a turn's tail and output lie behind each other. */
export interface Stored {
  readonly array: Int32Array;
  readonly from: number;
}

/** Lays the turns of a session on shared tapes; each turn costs what it adds, and its ids are not copied. */
export class TurnTapes {
  private readonly start = emptySequence();
  private readonly placedById = new Map<string, PlacedTurn>();

  /**
   * `found` is a parent that the record does not name; `stored` where the record's ids lie, when they lie together.
   * order  a parent before its children
   * throws AgentError `duplicate-name` for an id that stands already, `missing-parent` for a parent that does not, `length-mismatch` for a kept prefix that the parent does not have
   */
  place(turn: TurnRecord, found?: PlacedTurn, stored?: Stored): PlacedTurn {
    this.requireNew(turn.id);
    const parent = found ?? this.find(turn.parentId, turn.id);
    const before = parent?.end ?? this.start;
    if (!(turn.keptPrefix >= 0 && turn.keptPrefix <= before.length)) {
      throw new AgentError('length-mismatch', `Turn "${turn.id}" keeps ${String(turn.keptPrefix)} tokens; expected 0 to ${String(before.length)}, the extent of its parent's prompt and output.`, { fields: { turn: turn.id } });
    }
    const { promptTail, outputIds } = turn;
    // A recorder may have kept less than it could; the ids decide.
    const more = matchingLength(before, turn.keptPrefix, promptTail);
    const kept = cutSequence(before, turn.keptPrefix + more);
    const prompt = stored === undefined ? extendSequence(kept, promptTail, more) : extendSequence(kept, stored.array, stored.from + more, promptTail.length - more);
    const end = stored === undefined ? extendSequence(prompt, outputIds) : extendSequence(prompt, stored.array, stored.from + promptTail.length, outputIds.length);
    const placed: PlacedTurn = { turn, parent, keptPrefix: kept.length, prompt, end };
    this.placedById.set(turn.id, placed);
    return placed;
  }

  requireNew(id: string): void {
    if (this.placedById.has(id)) throw new AgentError('duplicate-name', `Turn "${id}" is recorded twice; expected a new id.`, { fields: { turn: id } });
  }

  find(parentId: string | undefined, id: string): PlacedTurn | undefined {
    if (parentId === undefined) return undefined;
    const parent = this.placedById.get(parentId);
    if (parent === undefined) throw new AgentError('missing-parent', `Turn "${id}" names the parent "${parentId}", which is not recorded before it.`, { fields: { turn: id, parent: parentId } });
    return parent;
  }
}

/** Extent of the common beginning of a turn's prompt and another turn's prompt ++ output. */
export function commonWith(turn: PlacedTurn, other: PlacedTurn): number {
  return commonPrefixLength(other.end, turn.prompt);
}

/** The ids of a sequence, as one array. */
export function idsOf(sequence: TokenSequence): Int32Array {
  const ids = new Int32Array(sequence.length);
  copySequence(sequence, ids);
  return ids;
}
