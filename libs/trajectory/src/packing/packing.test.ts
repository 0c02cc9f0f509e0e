import { describe, expect, test } from 'vitest';
import { createTurnRecorder, expandTree, lossless, packSegments, tokenReport, type FlatRow, type TurnInput } from '../index.js';

type Brief = [id: string, parentId: string | undefined, promptIds: number[], outputIds: number[], more?: Partial<TurnInput>];

function merge(...turns: Brief[]) {
  const recorder = createTurnRecorder();
  for (const [id, parentId, promptIds, outputIds, more] of turns) recorder.record({ id, promptIds, outputIds, finishReason: 'stop', ...(parentId === undefined ? {} : { parentId }), ...more });
  return { turns: recorder.turns, segments: lossless.merge(recorder.turns).segments };
}

const flat = ({ promptIds, responseIds, lossMask, logprobs }: FlatRow): FlatRow => ({ promptIds, responseIds, lossMask, ...(logprobs === undefined ? {} : { logprobs }) });

describe('a prefix tree', () => {
  test('holds a shared beginning once, with the branch that trains it', () => {
    const { segments } = merge(['a', undefined, [1, 2], [3]], ['b', 'a', [1, 2, 3, 4], [5]], ['c', 'a', [1, 2, 3, 6], [7]]);
    const tree = packSegments(segments);
    expect([...tree.ids]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect([...tree.lossMask]).toEqual([0, 0, 1, 0, 1, 0, 1]);
    expect(tree.rows).toEqual([
      { sharedLength: 0, span: { start: 0, end: 5 }, promptLength: 2, hasLogprobs: false },
      { parentIndex: 0, sharedLength: 3, span: { start: 5, end: 7 }, promptLength: 2, hasLogprobs: false },
    ]);
    expect(expandTree(tree)).toEqual(segments.map(flat));
  });

  test('two calls that sampled the same after the same prompt both keep their loss', () => {
    const { segments } = merge(['a', undefined, [1], [2, 3]], ['b', undefined, [1], [2, 3]]);
    const tree = packSegments(segments);
    expect([...tree.ids]).toEqual([1, 2, 3, 2, 3]);
    expect(expandTree(tree)).toEqual(segments.map(flat));
  });

  test('a difference inside a prompt shares what lies before it', () => {
    const { segments } = merge(['a', undefined, [1, 2, 3], [4]], ['b', 'a', [1, 2, 9], [5], { outputLogprobs: [-1] }]);
    const tree = packSegments(segments);
    expect(tree.rows[1]).toEqual({ parentIndex: 0, sharedLength: 2, span: { start: 4, end: 6 }, promptLength: 3, hasLogprobs: true });
    expect(expandTree(tree)).toEqual(segments.map(flat));
  });

  test('no segments make no rows', () => {
    expect(packSegments([])).toEqual({ rows: [], ids: new Int32Array(), lossMask: new Uint8Array(), logprobs: new Float32Array() });
  });
});

describe('the token report', () => {
  test('of a session that only grows is the theory', () => {
    // Three calls on a prompt of 4, each of which adds 2: 6 + 8 + 10 tokens apart, 10 joined.
    const { turns, segments } = merge(['a', undefined, [1, 1, 1, 1], [2, 2]], ['b', 'a', [1, 1, 1, 1, 2, 2, 3], [4]], ['c', 'b', [1, 1, 1, 1, 2, 2, 3, 4, 5], [6]]);
    expect(tokenReport(turns, segments, packSegments(segments))).toEqual({
      separateTokens: 24, flatTokens: 10, treeTokens: 10, flatRatio: 2.4, treeRatio: 2.4,
      theory: { calls: 3, firstPrompt: 4, growth: 2, separateTokens: 24, joinedTokens: 10, ratio: 2.4 },
    });
  });

  test('of branches tells what a tree saves', () => {
    const { turns, segments } = merge(['a', undefined, [1, 2], [3]], ['b', 'a', [1, 2, 3, 4], [5]], ['c', 'a', [1, 2, 3, 6], [7]]);
    expect(tokenReport(turns, segments, packSegments(segments))).toMatchObject({ separateTokens: 13, flatTokens: 10, treeTokens: 7 });
  });
});
