import { describe, expect, test } from 'vitest';
import { createTurnRecorder, groupAdvantages, lossless, slime, type TurnInput } from './index.js';

type Brief = Omit<TurnInput, 'finishReason'> & { readonly promptIds: readonly number[] };

/** Faults that people reported in public, each with an input of our own. */
interface Report {
  readonly because: string;
  readonly turns: readonly Brief[];
  readonly rows: readonly { readonly tokens: readonly number[]; readonly mask: readonly number[]; readonly turns?: readonly string[] }[];
  readonly boundaries?: readonly [id: string, cause: string, firstDifference: number][];
}

const reasoningFirst = [{ kind: 'reasoning', span: { start: 0, end: 2 }, callId: 'a' }, { kind: 'text', span: { start: 2, end: 4 }, callId: 'a' }] as const;

const REPORTS: Readonly<Record<string, Report>> = {
  'trl 5224': {
    because: 'recorded ids win: the next prompt is built from them, and no row holds ids that nobody sampled',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [71, 72, 9], outputLogprobs: [-0.5, -0.25, -0.125] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 71, 72, 9, 40, 41], outputIds: [73, 9], outputLogprobs: [-1, -2] },
    ],
    rows: [{ tokens: [5, 6, 71, 72, 9, 40, 41, 73, 9], mask: [0, 0, 1, 1, 1, 0, 0, 1, 1] }],
  },
  'rllm 352': {
    because: 'a history in other tokens opens a row, and both turns train on what the model saw',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [71, 72, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 80, 9, 40], outputIds: [73] },
    ],
    rows: [{ tokens: [5, 6, 71, 72, 9], mask: [0, 0, 1, 1, 1] }, { tokens: [5, 6, 80, 9, 40, 73], mask: [0, 0, 0, 0, 0, 1] }],
    boundaries: [['b', 'unknown', 2]],
  },
  'trl 5109': {
    because: 'an end token that history spells otherwise breaks the prefix, and neither end token is trained for the other',
    turns: [
      { id: 'a', promptIds: [5], outputIds: [50, 900], spans: [{ kind: 'text', span: { start: 0, end: 1 }, callId: 'a' }, { kind: 'end-of-turn', span: { start: 1, end: 2 }, callId: 'a' }] },
      { id: 'b', parentId: 'a', promptIds: [5, 50, 901, 60], outputIds: [51, 900] },
    ],
    rows: [{ tokens: [5, 50, 900], mask: [0, 1, 1] }, { tokens: [5, 50, 901, 60, 51, 900], mask: [0, 0, 0, 0, 1, 1] }],
    boundaries: [['b', 'retokenised-history', 2]],
  },
  'slime 2288': {
    because: 'a template that drops old thoughts makes two rows, and the cause is named so that users can choose another template',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [90, 91, 20, 9], spans: reasoningFirst },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 20, 9, 40], outputIds: [92, 21, 9] },
    ],
    rows: [{ tokens: [5, 6, 90, 91, 20, 9], mask: [0, 0, 1, 1, 1, 1] }, { tokens: [5, 6, 20, 9, 40, 92, 21, 9], mask: [0, 0, 0, 0, 0, 1, 1, 1] }],
    boundaries: [['b', 'template-dropped-reasoning', 2]],
  },
  'vllm 28185': {
    because: 'an end token that the engine did not return is context, and does not move the mask',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [20] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 20, 9, 40], outputIds: [21] },
    ],
    rows: [{ tokens: [5, 6, 20, 9, 40, 21], mask: [0, 0, 1, 0, 0, 1] }],
  },
  'rllm 775': {
    because: 'a sub-agent that interleaves with its parent is a row of its own, found by ids where no parent is named',
    turns: [
      { id: 'A1', promptIds: [5, 10], outputIds: [11, 9] },
      { id: 'B1', promptIds: [7, 20], outputIds: [21, 9] },
      { id: 'A2', promptIds: [5, 10, 11, 9, 30], outputIds: [12, 9] },
      { id: 'B2', promptIds: [7, 20, 21, 9, 40], outputIds: [22, 9] },
    ],
    rows: [
      { tokens: [5, 10, 11, 9, 30, 12, 9], mask: [0, 0, 1, 1, 0, 1, 1], turns: ['A1', 'A2'] },
      { tokens: [7, 20, 21, 9, 40, 22, 9], mask: [0, 0, 1, 1, 0, 1, 1], turns: ['B1', 'B2'] },
    ],
    boundaries: [['A1', 'first-call', 0], ['B1', 'first-call', 0]],
  },
  'rllm 596': {
    because: 'after a compaction nothing is stitched: the summary begins a row',
    turns: [
      { id: 'a', promptIds: [5, 10], outputIds: [11, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 10, 11, 9, 12], outputIds: [13, 9] },
      { id: 'c', parentId: 'b', promptIds: [5, 70, 71], outputIds: [14, 9] },
    ],
    rows: [{ tokens: [5, 10, 11, 9, 12, 13, 9], mask: [0, 0, 1, 1, 0, 1, 1] }, { tokens: [5, 70, 71, 14, 9], mask: [0, 0, 0, 1, 1] }],
    boundaries: [['c', 'harness-rewrite', 1]],
  },
  'prime-rl 2975': {
    because: 'a prefix that branches share trains once',
    turns: [
      { id: 'a', promptIds: [5], outputIds: [11, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 11, 9, 12], outputIds: [13] },
      { id: 'c', parentId: 'a', promptIds: [5, 11, 9, 22], outputIds: [23] },
      { id: 'd', parentId: 'a', promptIds: [5, 11, 9, 32], outputIds: [33] },
    ],
    rows: [
      { tokens: [5, 11, 9, 12, 13], mask: [0, 1, 1, 0, 1] },
      { tokens: [5, 11, 9, 22, 23], mask: [0, 0, 0, 0, 1] },
      { tokens: [5, 11, 9, 32, 33], mask: [0, 0, 0, 0, 1] },
    ],
  },
  'verifiers 955': {
    because: 'another tool set changes the first tokens, so nothing of the prompt is reused',
    turns: [
      { id: 'a', promptIds: [7, 1], outputIds: [11, 9] },
      { id: 'b', parentId: 'a', promptIds: [7, 8, 1, 11, 9, 12], outputIds: [13] },
    ],
    rows: [{ tokens: [7, 1, 11, 9], mask: [0, 0, 1, 1] }, { tokens: [7, 8, 1, 11, 9, 12, 13], mask: [0, 0, 0, 0, 0, 0, 1] }],
    boundaries: [['b', 'harness-rewrite', 1]],
  },
};

function record(turns: readonly Brief[]) {
  const recorder = createTurnRecorder();
  for (const turn of turns) recorder.record({ ...turn, finishReason: 'stop' });
  return recorder.turns;
}

describe('reported faults of merging', () => {
  test.each(Object.entries(REPORTS))('%s', (_id, { because, turns, rows, boundaries }) => {
    const { segments, outcomes } = lossless.merge(record(turns));
    expect(segments.map(({ promptIds, responseIds }) => [...promptIds, ...responseIds]), because).toEqual(rows.map(({ tokens }) => tokens));
    expect(segments.map(({ promptIds, lossMask }) => [...promptIds.map(() => 0), ...lossMask]), because).toEqual(rows.map(({ mask }) => mask));
    for (const [i, { turns: ids }] of rows.entries()) if (ids !== undefined) expect(segments[i]?.turns.map(({ id }) => id), because).toEqual(ids);
    for (const [id, cause, firstDifference] of boundaries ?? []) expect(outcomes.find((outcome) => outcome.id === id)?.boundary, because).toMatchObject({ cause, firstDifference });
  });

  test('rllm 352 under the slime policy: what is lost is in the outcome', () => {
    const { outcomes } = slime.merge(record(REPORTS['rllm 352']?.turns ?? []));
    expect(outcomes.map(({ trainedTokens, excluded }) => [trainedTokens, excluded])).toEqual([[0, [{ reason: 'slime-rebaseline', count: 3 }]], [1, []]]);
  });
});

describe('reported faults of rewards', () => {
  const advantages = (...rows: [groupId: string, rolloutId: string, reward: number][]) => groupAdvantages(rows.map(([groupId, rolloutId, reward]) => ({ groupId, rolloutId, reward })));

  test('slime 2302: a rollout with several rows counts once', () => {
    expect(advantages(['g', 'a', 4], ['g', 'a', 4], ['g', 'b', 0], ['g', 'c', 2])).toEqual([2, 2, -2, 0]);
  });

  test('slime 1414: groups of different extents have means of their own, and a rollout alone gets 0', () => {
    expect(advantages(['g', 'a', 1], ['g', 'b', 0], ['h', 'c', 7], ['h', 'd', 7], ['h', 'e', 7], ['i', 'f', 3])).toEqual([0.5, -0.5, 0, 0, 0, 0]);
  });

  test('a rollout whose rows disagree is refused', () => {
    expect(() => advantages(['g', 'a', 1], ['g', 'a', 0])).toThrow(expect.objectContaining({ code: 'bad-contract' }));
  });
});
