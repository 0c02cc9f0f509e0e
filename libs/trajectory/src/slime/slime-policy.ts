import type { MergeOptions, MergePolicy, MergeResult, TurnBoundary, TurnOutcome, TurnRecord } from '@turnwright/contracts';
import { boundaryOf } from '../boundary.js';
import { requireSoundTurns } from '../require-sound-turns.js';
import { excludedTokens, sampledTokens } from '../sampled-tokens.js';
import { segmentOf, trainableTokens } from '../segment-row.js';
import { commonWith, TurnTapes, type PlacedTurn } from '../turn-tapes.js';

/**
 * slime's merge, with what it drops said: one row at most, made of the turns in order.
 *
 * What slime holds after a turn is always that turn's prompt ++ output, so each case follows from how far the next prompt agrees with it,
 * and nothing need be built before the end.
 * source slime #1960 (ad3b87445) merge_turns
 */
export const slime: MergePolicy = {
  name: 'slime',
  description: 'The merge of slime #1960: one row; a changed history keeps only what was sampled after it.',
  merge: mergeSlime,
};

type Loss = 'slime-rebaseline' | 'slime-fresh-start' | 'slime-mask-length';

interface Fate {
  readonly placed: PlacedTurn;
  lost: Loss | undefined;
}

interface Progress {
  readonly fates: Fate[];
  /** The first fate whose output the row still trains. */
  firstLive: number;
  /** Extent of the row's prompt. */
  promptLength: number;
  readonly boundaries: Map<string, TurnBoundary>;
  readonly options: MergeOptions;
}

function mergeSlime(turns: readonly TurnRecord[], options: MergeOptions = {}): MergeResult {
  requireSoundTurns(turns, 'any');
  const tapes = new TurnTapes();
  const progress: Progress = { fates: [], firstLive: 0, promptLength: 0, boundaries: new Map(), options };
  let previous: PlacedTurn | undefined;
  for (const turn of turns) {
    const placed = tapes.place(turn);
    join(placed, previous, progress);
    progress.fates.push({ placed, lost: turn.outputLossMask.length === turn.outputIds.length ? undefined : 'slime-mask-length' });
    previous = placed;
  }
  if (previous === undefined) return { segments: [], outcomes: [] };
  const standing = progress.fates.slice(progress.firstLive).map(({ placed, lost }) => ({ placed, trained: lost === undefined, substitutedEnd: false }));
  return {
    segments: [segmentOf(progress.promptLength, standing)],
    outcomes: progress.fates.map((fate, index) => outcomeOf(fate, index >= progress.firstLive, progress.boundaries.get(fate.placed.turn.id))),
  };
}

function join(placed: PlacedTurn, previous: PlacedTurn | undefined, progress: Progress): void {
  if (previous === undefined) {
    progress.promptLength = placed.prompt.length;
    progress.boundaries.set(placed.turn.id, boundaryOf(placed, false, progress.options));
    return;
  }
  const common = placed.parent === previous ? placed.keptPrefix : commonWith(placed, previous);
  if (common === previous.end.length) return;
  const freshStart = common < progress.promptLength;
  const lostTokens = drop(progress, freshStart ? 'slime-fresh-start' : 'slime-rebaseline');
  progress.boundaries.set(placed.turn.id, { ...boundaryOf({ ...placed, parent: previous, keptPrefix: common }, false, progress.options), lostTokens });
  if (freshStart) progress.promptLength = placed.prompt.length;
}

/** Returns how many tokens could have been trained and now are not. */
function drop(progress: Progress, loss: Loss): number {
  let lostTokens = 0;
  for (; progress.firstLive < progress.fates.length; progress.firstLive++) {
    const fate = progress.fates[progress.firstLive];
    if (fate === undefined || fate.lost !== undefined) continue;
    fate.lost = loss;
    lostTokens += trainableTokens(fate.placed.turn.outputLossMask);
  }
  return lostTokens;
}

function outcomeOf(fate: Fate, standing: boolean, boundary: TurnBoundary | undefined): TurnOutcome {
  const { turn } = fate.placed;
  // A mask of the wrong length says nothing about any token, so all that are not excluded already count as given up.
  const could = turn.outputLossMask.length === turn.outputIds.length ? trainableTokens(turn.outputLossMask) : sampledTokens(turn) - excludedTokens(turn);
  return {
    id: turn.id,
    trainedTokens: fate.lost === undefined ? could : 0,
    excluded: fate.lost === undefined || could === 0 ? [] : [{ reason: fate.lost, count: could }],
    segmentIndices: standing ? [0] : [],
    ...(boundary === undefined ? {} : { boundary }),
  };
}
