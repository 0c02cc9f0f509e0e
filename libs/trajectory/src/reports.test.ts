import { describe, expect, test } from 'vitest';
import type { MergeOptions } from '@turnwright/contracts';
import { assembleSamples, captureRequest, chosenLogprobs, createTurnRecorder, groupAdvantages, lossless, maskFromOffsets, slime, type TurnInput } from './index.js';

type Brief = Omit<TurnInput, 'finishReason'> & { readonly promptIds: readonly number[] };

/** Faults that people reported in public, each with an input of our own. */
interface Report {
  readonly because: string;
  readonly turns: readonly Brief[];
  readonly options?: MergeOptions;
  readonly rows: readonly { readonly tokens: readonly number[]; readonly mask: readonly number[]; readonly turns?: readonly string[] }[];
  readonly boundaries?: readonly [id: string, cause: string, firstDifference: number][];
  readonly flags?: readonly [id: string, ...flags: string[]][];
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
  'trl 5109, terminators declared equal': {
    because: 'one row may be built, in which the end token of the history is not trained for the one that was sampled',
    options: { equalTerminators: [[900, 901]] },
    turns: [
      { id: 'a', promptIds: [5], outputIds: [50, 900], outputLogprobs: [-0.5, -0.25], spans: [{ kind: 'text', span: { start: 0, end: 1 }, callId: 'a' }, { kind: 'end-of-turn', span: { start: 1, end: 2 }, callId: 'a' }] },
      { id: 'b', parentId: 'a', promptIds: [5, 50, 901, 60], outputIds: [51, 900], outputLogprobs: [-1, -2] },
      { id: 'c', parentId: 'b', promptIds: [5, 50, 901, 60, 51, 901, 61], outputIds: [52, 900] },
    ],
    rows: [{ tokens: [5, 50, 901, 60, 51, 901, 61, 52, 900], mask: [0, 1, 0, 0, 1, 0, 0, 1, 1], turns: ['a', 'b', 'c'] }],
  },
  'slime 2288, without spans': {
    because: 'a history that goes on with the answer less its beginning has lost its thought, also where nobody says what the tokens are',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [90, 91, 20, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 20, 9, 40], outputIds: [92, 21, 9] },
    ],
    rows: [{ tokens: [5, 6, 90, 91, 20, 9], mask: [0, 0, 1, 1, 1, 1] }, { tokens: [5, 6, 20, 9, 40, 92, 21, 9], mask: [0, 0, 0, 0, 0, 1, 1, 1] }],
    boundaries: [['b', 'template-dropped-reasoning', 2]],
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
    options: { terminators: [9] },
    rows: [{ tokens: [5, 6, 20, 9, 40, 21], mask: [0, 0, 1, 0, 0, 1] }],
    flags: [['a', 'stop-token-not-recorded'], ['b', 'stop-token-not-recorded']],
  },
  'minimind 850': {
    because: 'the next prompt is the recorded ids and the new messages\' own, so a special token of the output cannot move the observation',
    turns: [
      { id: 'a', promptIds: [5, 6], outputIds: [20, 99, 21, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 20, 99, 21, 9, 40, 41], outputIds: [22, 9] },
    ],
    rows: [{ tokens: [5, 6, 20, 99, 21, 9, 40, 41, 22, 9], mask: [0, 0, 1, 1, 1, 1, 0, 0, 1, 1] }],
  },
  'automodel 3739': {
    because: 'what the generation prompt supplies (here 30 31 32: the role and an empty thought) is prompt, and the newline after the end token is context',
    turns: [
      { id: 'a', promptIds: [5, 6, 30, 31, 32], outputIds: [20, 9] },
      { id: 'b', parentId: 'a', promptIds: [5, 6, 30, 31, 32, 20, 9, 8, 40, 30, 31, 32], outputIds: [21, 9] },
    ],
    rows: [{ tokens: [5, 6, 30, 31, 32, 20, 9, 8, 40, 30, 31, 32, 21, 9], mask: [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1] }],
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
      { id: 'a', promptIds: [7, 1], outputIds: [11, 9], toolsKey: 'read' },
      { id: 'b', parentId: 'a', promptIds: [7, 8, 1, 11, 9, 12], outputIds: [13], toolsKey: 'read write' },
    ],
    rows: [{ tokens: [7, 1, 11, 9], mask: [0, 0, 1, 1] }, { tokens: [7, 8, 1, 11, 9, 12, 13], mask: [0, 0, 0, 0, 0, 0, 1] }],
    boundaries: [['b', 'tool-schema-change', 1]],
  },
};

function record(turns: readonly Brief[]) {
  const recorder = createTurnRecorder();
  for (const turn of turns) recorder.record({ ...turn, finishReason: 'stop' });
  return recorder.turns;
}

describe('reported faults of merging', () => {
  test.each(Object.entries(REPORTS))('%s', (_id, { because, turns, options, rows, boundaries, flags }) => {
    const { segments, outcomes } = lossless.merge(record(turns), options);
    expect(segments.map(({ promptIds, responseIds }) => [...promptIds, ...responseIds]), because).toEqual(rows.map(({ tokens }) => tokens));
    expect(segments.map(({ promptIds, lossMask }) => [...promptIds.map(() => 0), ...lossMask]), because).toEqual(rows.map(({ mask }) => mask));
    for (const [i, { turns: ids }] of rows.entries()) if (ids !== undefined) expect(segments[i]?.turns.map(({ id }) => id), because).toEqual(ids);
    for (const [id, cause, firstDifference] of boundaries ?? []) expect(outcomes.find((outcome) => outcome.id === id)?.boundary, because).toMatchObject({ cause, firstDifference });
    for (const [id, ...expected] of flags ?? []) expect(outcomes.find((outcome) => outcome.id === id)?.flags, because).toEqual(expected);
  });

  test('trl 5109: the sampled end token that the row does not hold stands in the ledger', () => {
    const { turns, options } = REPORTS['trl 5109, terminators declared equal'] ?? { turns: [] };
    const { segments, outcomes } = lossless.merge(record(turns), options);
    expect(outcomes.map(({ trainedTokens, excluded }) => [trainedTokens, excluded])).toEqual([[1, [{ reason: 'terminator-substituted', count: 1 }]], [1, [{ reason: 'terminator-substituted', count: 1 }]], [2, []]]);
    expect([...(segments[0]?.logprobs ?? [])]).toEqual([-0.5, 0, 0, -1, 0, 0, 0, 0]);
    expect(segments[0]?.spans.map(({ kind, span }) => [kind, span.start, span.end])).toEqual([['text', 0, 1], ['template', 1, 2]]);
  });

  test('trl 5109: a branch that keeps the sampled end token repeats it as it was', () => {
    const turns = [{ id: 'a', promptIds: [5], outputIds: [50, 900] }, { id: 'b', parentId: 'a', promptIds: [5, 50, 901, 60], outputIds: [51] }, { id: 'c', parentId: 'a', promptIds: [5, 50, 900, 61], outputIds: [52] }];
    const { segments } = lossless.merge(record(turns), { equalTerminators: [[900, 901]] });
    expect(segments.map(({ promptIds, responseIds, lossMask }) => [[...promptIds, ...responseIds], [...lossMask]])).toEqual([[[5, 50, 901, 60, 51], [1, 0, 0, 1]], [[5, 50, 900, 61, 52], [0, 0, 0, 1]]]);
  });

  test('rllm 352 under the slime policy: what is lost is in the outcome', () => {
    const { outcomes } = slime.merge(record(REPORTS['rllm 352']?.turns ?? []));
    expect(outcomes.map(({ trainedTokens, excluded }) => [trainedTokens, excluded])).toEqual([[0, [{ reason: 'slime-rebaseline', count: 3 }]], [1, []]]);
  });
});

describe('reported faults of masks', () => {
  const spans = (...pairs: [number, number][]) => pairs.map(([start, end]) => ({ start, end }));

  test('transformers 47325: a part that ends with token 0 trains token 0, and one on white space without a token trains none', () => {
    const tokenOffsets = spans([0, 2], [2, 3], [4, 9]);
    expect([...maskFromOffsets({ tokenOffsets, trainable: spans([0, 2], [3, 4]) }).lossMask]).toEqual([1, 0, 0]);
  });

  test('transformers 34494: a part that is cut off trains what is left of it', () => {
    expect(maskFromOffsets({ tokenOffsets: spans([0, 3], [3, 5], [5, 9], [9, 12]), trainable: spans([3, 12]), maxTokens: 3 })).toEqual({ lossMask: Uint8Array.of(0, 1, 1), truncated: true });
  });

  test('a token that reaches over the edge of a part is not trained: some of its text was never sampled', () => {
    expect([...maskFromOffsets({ tokenOffsets: spans([0, 4], [4, 8]), trainable: spans([2, 8]) }).lossMask]).toEqual([0, 1]);
  });

  test('marin 7237: a text without a trainable token is refused, not trained on nothing', () => {
    for (const trainable of [[], spans([0, 1])]) expect(() => maskFromOffsets({ tokenOffsets: spans([0, 3]), trainable })).toThrow(expect.objectContaining({ code: 'no-trainable-tokens' }));
    const { samples, skippedSegments } = assembleSamples({ sessionId: 's', rolloutId: 'r', groupId: 'g', reward: null, mergeResult: lossless.merge(record([{ id: 'a', promptIds: [5], outputIds: [6], outputLossMask: [0] }])) });
    expect([samples, skippedSegments]).toEqual([[], [0]]);
  });
});

describe('reported faults of capture', () => {
  test('gym 1612: the request asks for log-probs whatever the client sent, and an answer without any is refused', () => {
    expect(captureRequest({ model: 'm', logprobs: false, top_logprobs: null })).toEqual({ model: 'm', logprobs: true, top_logprobs: 0, return_token_ids: true });
    expect(captureRequest({ top_logprobs: 5 })).toMatchObject({ top_logprobs: 5 });
    expect(() => chosenLogprobs([7], null)).toThrow(expect.objectContaining({ code: 'logprobs-missing' }));
  });

  test('trl 3867: the log-prob is that of the sampled id, wherever it stands', () => {
    expect([...chosenLogprobs([40, 8], [{ '40': -0.5 }, { '91': -4, '8': -0.25 }])]).toEqual([-0.5, -0.25]);
    expect(() => chosenLogprobs([40], [{ '91': -4 }])).toThrow(expect.objectContaining({ code: 'logprobs-missing' }));
    expect(() => chosenLogprobs([40, 8], [{ '40': -4 }])).toThrow(expect.objectContaining({ code: 'length-mismatch' }));
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
