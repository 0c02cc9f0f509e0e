import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTurnRecorder, mergeTurns, slime, type SlimeNote, type SlimeSegment, type SlimeTurn } from '../index.js';
import { plainTurns, recordTurns, seeded, startsWith } from '../random-turns.fixture.js';

/** The merge as its authors wrote it: slices and whole-list comparisons. */
function reference(turns: readonly SlimeTurn[]): Omit<SlimeSegment, 'metadata'> | null {
  if (turns.length === 0) return null;
  let [prompt, response, mask]: number[][] = [[...(turns[0]?.promptIds ?? [])], [], []] as [number[], number[], number[]];
  for (const turn of turns) {
    const next = [...turn.promptIds];
    const held = [...prompt, ...response];
    if (startsWith(next, held) && next.length >= held.length) {
      const rest = next.slice(held.length);
      [response, mask] = [[...response, ...rest], [...mask, ...rest.map(() => 0)]];
    } else if (startsWith(next, prompt) && next.length >= prompt.length) {
      response = next.slice(prompt.length);
      mask = response.map(() => 0);
    } else {
      [prompt, response, mask] = [next, [], []];
    }
    const own = turn.outputLossMask ?? turn.outputIds.map(() => 1);
    response = [...response, ...turn.outputIds];
    mask = [...mask, ...(own.length === turn.outputIds.length ? own : turn.outputIds.map(() => 0))];
  }
  return { promptIds: prompt, responseIds: response, lossMask: mask };
}

type Brief = [promptIds: number[], outputIds: number[], outputLossMask?: number[]];
const turnsOf = (brief: Brief[]): SlimeTurn[] => brief.map(([promptIds, outputIds, outputLossMask]) => ({ promptIds, outputIds, ...(outputLossMask === undefined ? {} : { outputLossMask }) }));

const CASES: [title: string, turns: Brief[], expected: [number[], number[], number[]] | null][] = [
  ['no turns', [], null],
  ['one turn', [[[5, 6], [7, 8]]], [[5, 6], [7, 8], [1, 1]]],
  ['new context is appended untrained', [[[5, 6], [7]], [[5, 6, 7, 8, 9], [3]]], [[5, 6], [7, 8, 9, 3], [1, 0, 0, 1]]],
  ['the same prompt again drops the first answer', [[[5, 6], [7]], [[5, 6], [8]]], [[5, 6], [8], [1]]],
  ['a changed answer becomes context', [[[5, 6], [7, 8]], [[5, 6, 7, 1, 2], [3]]], [[5, 6], [7, 1, 2, 3], [0, 0, 0, 1]]],
  ['a shortened answer becomes context', [[[5], [7, 8]], [[5, 7], [3]]], [[5], [7, 3], [0, 1]]],
  ['another prompt starts afresh', [[[5, 6], [7]], [[1, 2], [3]]], [[1, 2], [3], [1]]],
  ['a prefix of the first prompt starts afresh', [[[5, 6, 7], [8]], [[5, 6], [3]]], [[5, 6], [3], [1]]],
  ['a mask that is too short trains nothing', [[[5], [7, 8], [1]]], [[5], [7, 8], [0, 0]]],
  ['a mask that is too long trains nothing', [[[5], [7, 8], [1, 1, 1]]], [[5], [7, 8], [0, 0]]],
  ['mask values pass through', [[[5], [7, 8], [2, -1]]], [[5], [7, 8], [2, -1]]],
  ['an empty first prompt begins every prompt', [[[], [7]], [[8], [9]]], [[], [8, 9], [0, 1]]],
];

describe('mergeTurns', () => {
  test.each(CASES)('%s', (_title, turns, expected) => {
    const segment = mergeTurns(turnsOf(turns));
    expect(segment).toEqual(expected === null ? null : { promptIds: expected[0], responseIds: expected[1], lossMask: expected[2], metadata: {} });
  });

  test('metadata is copied', () => {
    const metadata = { kind: 'final' };
    const segment = mergeTurns([{ promptIds: [], outputIds: [] }], metadata);
    expect(segment?.metadata).toEqual(metadata);
    expect(segment?.metadata).not.toBe(metadata);
  });

  test('notes say what the segment does not', () => {
    const notes: SlimeNote[] = [];
    mergeTurns(turnsOf([[[1], [2]], [[1, 9], [3]], [[8], [4], [1, 1]]]), {}, (note) => notes.push(note));
    expect(notes).toEqual([{ turnIndex: 1, kind: 'rebaseline' }, { turnIndex: 2, kind: 'fresh-start' }, { turnIndex: 2, kind: 'mask-length' }]);
  });

  test('equals the merge written with slices', () => {
    fc.assert(fc.property(plainTurns, (turns) => {
      const segment = mergeTurns(turns);
      expect(segment && { promptIds: segment.promptIds, responseIds: segment.responseIds, lossMask: segment.lossMask }).toEqual(reference(turns));
    }), seeded('mergeTurns'));
  });
});

describe('the slime policy', () => {
  test('makes the row that mergeTurns makes, and accounts for every token', () => {
    fc.assert(fc.property(plainTurns, (turns) => {
      const { segments, outcomes } = slime.merge(recordTurns(turns));
      const expected = reference(turns);
      expect(segments.length).toBe(expected === null ? 0 : 1);
      for (const segment of segments) expect({ promptIds: [...segment.promptIds], responseIds: [...segment.responseIds], lossMask: [...segment.lossMask] }).toEqual(expected);
      for (const [i, turn] of turns.entries()) {
        const outcome = outcomes[i];
        expect((outcome?.trainedTokens ?? 0) + (outcome?.excluded.reduce((sum, { count }) => sum + count, 0) ?? 0)).toBe(turn.outputLossMask.filter((bit) => bit === 1).length);
      }
      expect(outcomes.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0)).toBe(expected?.lossMask.filter((bit) => bit === 1).length ?? 0);
    }), seeded('slime policy'));
  });

  test('says what was dropped and why', () => {
    const recorder = createTurnRecorder();
    recorder.record({ id: 'a', promptIds: [1], outputIds: [2, 3], finishReason: 'stop' });
    recorder.record({ id: 'b', parentId: 'a', promptIds: [1, 9], outputIds: [4], finishReason: 'stop' });
    recorder.record({ id: 'c', parentId: 'b', promptIds: [7], outputIds: [5], finishReason: 'stop' });
    const { segments, outcomes } = slime.merge(recorder.turns);
    expect(segments[0]?.turns).toEqual([{ id: 'c', trained: true, outputSpan: { start: 0, end: 1 } }]);
    expect(outcomes.map(({ trainedTokens, excluded, segmentIndices }) => [trainedTokens, excluded, segmentIndices])).toEqual([
      [0, [{ reason: 'slime-rebaseline', count: 2 }], []],
      [0, [{ reason: 'slime-fresh-start', count: 1 }], []],
      [1, [], [0]],
    ]);
    expect(outcomes.map(({ boundary }) => boundary)).toEqual([
      { cause: 'first-call', firstDifference: 0, lostTokens: 0, repeatedTokens: 0 },
      { cause: 'unknown', firstDifference: 1, lostTokens: 2, repeatedTokens: 1 },
      { cause: 'harness-rewrite', firstDifference: 0, lostTokens: 1, repeatedTokens: 0 },
    ]);
  });

  test('a mask of the wrong length gives its tokens up', () => {
    const turn = { id: 'a', keptPrefix: 0, promptTail: Int32Array.of(1), outputIds: Int32Array.of(2, 3), outputLossMask: Uint8Array.of(1), finishReason: 'stop' } as const;
    const { segments, outcomes } = slime.merge([turn]);
    expect([...(segments[0]?.lossMask ?? [])]).toEqual([0, 0]);
    expect(outcomes[0]).toMatchObject({ trainedTokens: 0, excluded: [{ reason: 'slime-mask-length', count: 2 }] });
  });
});
