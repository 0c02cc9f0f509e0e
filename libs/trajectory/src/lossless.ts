import type { MergePolicy, MergeResult, TurnOutcome, TurnRecord } from '@turnwright/contracts';
import { boundaryOf, type Boundary } from './boundary.js';
import { RowEnds } from './row-ends.js';
import { segmentOf, trainableTokens, type RowTurn } from './segment-row.js';
import { requireLength } from './turn-recorder.js';
import { TurnTapes, type PlacedTurn } from './turn-tapes.js';

/**
 * Joins turns while their ids continue each other, and gives nothing up.
 *
 * A turn that continues its parent's prompt ++ output stands in the parent's row. The first such child, in the order of turns, continues
 * the row; a further one opens a row that repeats the shared turns as context, so that each output trains once. Any other turn opens a row
 * with its whole prompt. A turn without a parent continues the deepest turn that its ids continue.
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
  readonly boundary: Boundary | undefined;
}

function mergeLossless(turns: readonly TurnRecord[]): MergeResult {
  const tapes = new TurnTapes();
  const ends = turns.some((turn, i) => i > 0 && turn.parentId === undefined) ? new RowEnds() : undefined;
  const rows: Row[] = [];
  const continued = new Set<PlacedTurn>();
  const seats = new Map<string, Seat>();
  for (const turn of turns) {
    requireParallel(turn);
    const placed = tapes.place(turn, turn.parentId === undefined ? ends?.find(turn, continued) : undefined);
    ends?.add(placed);
    seats.set(turn.id, seat(placed, rows, continued, seats));
  }
  return {
    segments: rows.map((row) => segmentOf(row.turns[0]?.placed.prompt.length ?? 0, row.turns)),
    outcomes: turns.map((turn) => outcomeOf(turn, seats.get(turn.id))),
  };
}

function seat(placed: PlacedTurn, rows: Row[], continued: Set<PlacedTurn>, seats: ReadonlyMap<string, Seat>): Seat {
  const { parent } = placed;
  const parentSeat = parent === undefined || placed.keptPrefix < parent.end.length ? undefined : seats.get(parent.turn.id);
  if (parent !== undefined && parentSeat !== undefined && !continued.has(parent)) {
    continued.add(parent);
    return sit(placed, parentSeat.row, undefined);
  }
  const row: Row = { index: rows.length, turns: [] };
  rows.push(row);
  if (parentSeat !== undefined) repeatShared(parentSeat, row, seats);
  return sit(placed, row, boundaryOf(placed, parentSeat !== undefined));
}

function sit(placed: PlacedTurn, row: Row, boundary: Boundary | undefined): Seat {
  row.turns.push({ placed, trained: true });
  return { row, place: row.turns.length - 1, rowIndices: [row.index], boundary };
}

function repeatShared(parentSeat: Seat, row: Row, seats: ReadonlyMap<string, Seat>): void {
  for (let i = 0; i <= parentSeat.place; i++) {
    const shared = parentSeat.row.turns[i];
    if (shared === undefined) continue;
    row.turns.push({ placed: shared.placed, trained: false });
    seats.get(shared.placed.turn.id)?.rowIndices.push(row.index);
  }
}

function outcomeOf(turn: TurnRecord, seat: Seat | undefined): TurnOutcome {
  return {
    id: turn.id,
    trainedTokens: trainableTokens(turn.outputLossMask),
    excluded: [],
    segmentIndices: seat?.rowIndices ?? [],
    ...(seat?.boundary === undefined ? {} : { boundary: seat.boundary }),
  };
}

function requireParallel(turn: TurnRecord): void {
  requireLength(turn.outputLossMask.length, turn.outputIds.length, turn.id, 'loss mask');
  if (turn.outputLogprobs !== undefined) requireLength(turn.outputLogprobs.length, turn.outputIds.length, turn.id, 'log-probs');
}
