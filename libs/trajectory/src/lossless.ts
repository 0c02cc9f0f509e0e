import type { MergeOptions, MergePolicy, MergeResult, TurnBoundary, TurnOutcome, TurnRecord } from '@turnwright/contracts';
import { boundaryOf } from './boundary.js';
import { EqualTerminators } from './equal-terminators.js';
import { requireSoundTurns } from './require-sound-turns.js';
import { RowEnds } from './row-ends.js';
import { segmentOf, trainableTokens, type RowTurn } from './segment-row.js';
import { TurnTapes, type PlacedTurn } from './turn-tapes.js';

/**
 * Joins turns while their ids continue each other, and gives nothing up.
 *
 * A turn that continues its parent's prompt ++ output stands in the parent's row. The first such child, in the order of turns, continues
 * the row; a further one opens a row that repeats the shared turns as context, so that each output trains once. Any other turn opens a row
 * with its whole prompt. A turn without a parent continues the deepest turn that its ids continue.
 *
 * With `equalTerminators` a turn also continues a parent that ended with another token of the set (trl #5109); the row then holds the
 * token of the history, untrained, and the sampled one stands in the ledger as `terminator-substituted`.
 */
export const lossless: MergePolicy = {
  name: 'lossless',
  description: 'Join calls while their token ids continue each other; open a row otherwise; drop nothing.',
  merge: mergeLossless,
};

interface Row {
  readonly index: number;
  readonly turns: RowTurn[];
}

/** Where a turn stands: the row that trains it, its place there, and every row that holds it. */
interface Seat {
  readonly row: Row;
  readonly place: number;
  readonly rowIndices: number[];
  readonly boundary: TurnBoundary | undefined;
}

interface Progress {
  readonly rows: Row[];
  readonly continued: Set<PlacedTurn>;
  readonly seats: Map<string, Seat>;
  readonly options: MergeOptions;
  readonly terminators: EqualTerminators | undefined;
}

function mergeLossless(turns: readonly TurnRecord[], options: MergeOptions = {}): MergeResult {
  requireSoundTurns(turns);
  const tapes = new TurnTapes();
  const ends = turns.some((turn, i) => i > 0 && turn.parentId === undefined) ? new RowEnds() : undefined;
  const progress: Progress = { rows: [], continued: new Set(), seats: new Map(), options, terminators: EqualTerminators.from(options) };
  const endings = new Set([...(options.terminators ?? []), ...(options.equalTerminators ?? []).flat()]);
  for (const turn of turns) {
    const placed = tapes.place(turn, turn.parentId === undefined ? ends?.find(turn, progress.continued) : undefined);
    ends?.add(placed);
    progress.seats.set(turn.id, seat(placed, progress));
  }
  return {
    segments: progress.rows.map((row) => segmentOf(row.turns[0]?.placed.prompt.length ?? 0, row.turns)),
    outcomes: turns.map((turn) => outcomeOf(turn, progress.seats.get(turn.id), endings)),
  };
}

function seat(placed: PlacedTurn, progress: Progress): Seat {
  const { rows, seats, continued } = progress;
  const { parent } = placed;
  const exact = parent !== undefined && placed.keptPrefix === parent.end.length;
  const substituted = exact ? NONE : progress.terminators?.substitutedBy(placed);
  const parentSeat = parent === undefined || substituted === undefined ? undefined : seats.get(parent.turn.id);
  if (parent !== undefined && parentSeat !== undefined && !continued.has(parent)) {
    continued.add(parent);
    return sit(placed, parentSeat.row, substituted, undefined);
  }
  const row: Row = { index: rows.length, turns: [] };
  rows.push(row);
  if (parentSeat !== undefined) repeatShared(parentSeat, row, seats);
  return sit(placed, row, substituted, boundaryOf(placed, parentSeat !== undefined, progress.options));
}

const NONE: ReadonlySet<PlacedTurn> = new Set();

function sit(placed: PlacedTurn, row: Row, substituted: ReadonlySet<PlacedTurn> | undefined, boundary: TurnBoundary | undefined): Seat {
  for (let i = row.turns.length - 1; substituted !== undefined && substituted.size > 0 && i >= 0; i--) {
    const held = row.turns[i];
    if (held !== undefined && substituted.has(held.placed)) row.turns[i] = { ...held, substitutedEnd: true };
  }
  row.turns.push({ placed, trained: true, substitutedEnd: false });
  return { row, place: row.turns.length - 1, rowIndices: [row.index], boundary };
}

function repeatShared(parentSeat: Seat, row: Row, seats: ReadonlyMap<string, Seat>): void {
  for (let i = 0; i <= parentSeat.place; i++) {
    const shared = parentSeat.row.turns[i];
    if (shared === undefined) continue;
    // The turn that is branched from stands as it was sampled, unless the new one says otherwise.
    row.turns.push({ placed: shared.placed, trained: false, substitutedEnd: i < parentSeat.place && shared.substitutedEnd });
    seats.get(shared.placed.turn.id)?.rowIndices.push(row.index);
  }
}

function outcomeOf(turn: TurnRecord, seat: Seat | undefined, endings: ReadonlySet<number>): TurnOutcome {
  const substituted = seat?.row.turns[seat.place]?.substitutedEnd === true && turn.outputLossMask.at(-1) === 1 ? 1 : 0;
  const outcome: TurnOutcome = {
    id: turn.id,
    trainedTokens: trainableTokens(turn.outputLossMask) - substituted,
    excluded: substituted === 0 ? [] : [{ reason: 'terminator-substituted', count: 1 }],
    segmentIndices: seat?.rowIndices ?? [],
  };
  if (seat?.boundary === undefined && endings.size === 0) return outcome;
  return { ...outcome, ...(seat?.boundary === undefined ? {} : { boundary: seat.boundary }), ...(lacksStopToken(turn, endings) ? { flags: ['stop-token-not-recorded'] } : {}) };
}

/** Without its log-prob the end token cannot be trained, and where a prompt has it, it is context (vllm #28185). */
function lacksStopToken({ finishReason, outputIds }: TurnRecord, endings: ReadonlySet<number>): boolean {
  return endings.size > 0 && (finishReason === 'stop' || finishReason === 'tool-calls') && outputIds.length > 0 && !endings.has(outputIds.at(-1) ?? -1);
}
