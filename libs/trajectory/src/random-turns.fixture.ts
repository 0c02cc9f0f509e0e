import type { TurnRecord } from '@turnwright/contracts';
import fc from 'fast-check';
import { createTurnRecorder } from './index.js';

/** A turn with the whole prompt, for slow and obvious references. */
export interface PlainTurn {
  readonly id: string;
  readonly parentId?: string;
  readonly promptIds: readonly number[];
  readonly outputIds: readonly number[];
  readonly outputLossMask: readonly number[];
  readonly outputLogprobs?: readonly number[];
}

/** Few different ids, so that sequences meet by chance too. */
const ids = (maxLength: number) => fc.array(fc.integer({ min: 0, max: 2 }), { maxLength });

const step = fc.record({
  before: fc.nat(1000),
  /** How the prompt comes from the turn before: all of it, a part of it, or nothing. */
  history: fc.constantFrom('continue', 'continue', 'continue', 'drift', 'fresh'),
  cut: fc.nat(1000),
  tail: ids(3),
  output: ids(4),
  mask: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 4, maxLength: 4 }),
  named: fc.boolean(),
  scored: fc.boolean(),
});

/** Sessions with branches, drift, fresh prompts, and turns whose parent is not named. */
export const plainTurns: fc.Arbitrary<PlainTurn[]> = fc.array(step, { maxLength: 12 }).map((steps) => {
  const turns: PlainTurn[] = [];
  for (const [i, { before, history, cut, tail, output, mask, named, scored }] of steps.entries()) {
    const from = turns[before % Math.max(turns.length, 1)];
    const held = from === undefined || history === 'fresh' ? [] : [...from.promptIds, ...from.outputIds];
    const kept = history === 'drift' ? held.slice(0, cut % (held.length + 1)) : held;
    turns.push({
      id: `t${String(i)}`,
      ...(named && from !== undefined ? { parentId: from.id } : {}),
      promptIds: [...kept, ...tail],
      outputIds: output,
      outputLossMask: mask.slice(0, output.length),
      ...(scored ? { outputLogprobs: output.map((_, k) => -(k + 1) / 4) } : {}),
    });
  }
  return turns;
});

/** The same turns as records. */
export function recordTurns(turns: readonly PlainTurn[]): readonly TurnRecord[] {
  const recorder = createTurnRecorder();
  for (const turn of turns) recorder.record({ ...turn, finishReason: 'stop' });
  return recorder.turns;
}

export function startsWith(ids: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((id, i) => ids[i] === id);
}

/** How many random sessions the largest property sees: TURNWRIGHT_TREES=100000 for the whole, fewer by default. */
export const TREES = Number(process.env['TURNWRIGHT_TREES'] ?? 3000);

/** Seeded from the environment or the clock, and printed, so that a failure can be run again. */
export function seeded(title: string, numRuns = 1000): { readonly seed: number; readonly numRuns: number } {
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`${title}: FC_SEED=${String(seed)} runs=${String(numRuns)}`);
  return { seed, numRuns };
}
