import type { FinishReason, LedgerEntry } from '@turnwright/contracts';
import { describe, expect, test } from 'vitest';
import { assembleSamples, createTurnRecorder, ledgerEntry, LedgerTotals, lossless, reconcile, slime, trajectoryPlugin, withAdvantages, type AssembleRequest, type LedgerInput, type TurnInput } from './index.js';

const common = { sessionId: 'session', rolloutId: 'r', groupId: 'g', reward: 1 };

/** Turns that each open a row: as many trained tokens as the number says. */
function separate(...trained: number[]) {
  const recorder = createTurnRecorder();
  for (const [i, count] of trained.entries()) recorder.record({ id: `t${String(i)}`, promptIds: [i], outputIds: [7, 7, 7, 7], outputLossMask: [0, 1, 2, 3].map((k) => Number(k < count)), finishReason: 'stop' });
  return recorder.turns;
}

const assemble = (trained: number[], more: Partial<AssembleRequest> = {}) => assembleSamples({ ...common, mergeResult: lossless.merge(separate(...trained)), ...more });

describe('samples', () => {
  test('have ids that sort as the rows do, and say which of how many they are', () => {
    const { samples } = assemble([1, 1]);
    expect(samples.map(({ id, segmentIndex, segmentCount }) => [id, segmentIndex, segmentCount])).toEqual([['session/0000', 0, 2], ['session/0001', 1, 2]]);
  });

  test('a row without a trained token is skipped, and said', () => {
    const { samples, sampleIds, skippedSegments } = assemble([1, 0, 3]);
    expect(samples.map(({ id, segmentCount, weight }) => [id, segmentCount, weight])).toEqual([['session/0000', 2, 0.5], ['session/0001', 2, 0.5]]);
    expect([sampleIds, skippedSegments]).toEqual([['session/0000', undefined, 'session/0001'], [1]]);
  });

  test('weights can follow the trained tokens', () => {
    expect(assemble([1, 3], { weightMode: 'trained-tokens' }).samples.map(({ weight }) => weight)).toEqual([0.25, 0.75]);
  });

  test('rewards are whole, split, on the last row, or absent', () => {
    expect(assemble([1, 1]).samples.map(({ reward }) => reward)).toEqual([1, 1]);
    expect(assemble([1, 1], { rewardMode: 'split' }).samples.map(({ reward }) => reward)).toEqual([0.5, 0.5]);
    expect(assemble([1, 1], { rewardMode: 'last' }).samples.map(({ reward }) => reward)).toEqual([0, 1]);
    expect(assemble([1, 1], { reward: null }).samples.map(({ reward }) => reward)).toEqual([null, null]);
  });

  test('a step reward stands on the last trained token of its turn, and one without a token is named', () => {
    const { samples, unplaced } = assemble([2, 0], { stepRewards: new Map([['t0', 0.5], ['t1', 1], ['gone', 2]]) });
    expect(samples.map(({ stepRewards }) => stepRewards && [...stepRewards])).toEqual([[0, 0.5, 0, 0]]);
    expect(unplaced).toEqual({ reward: null, turnIds: ['t1', 'gone'] });
  });

  test('a reward without a row to stand on is named, and one that is no number refused', () => {
    expect(assemble([0]).unplaced).toEqual({ reward: 1, turnIds: [] });
    for (const more of [{ reward: NaN }, { stepRewards: new Map([['t0', Infinity]]) }]) expect(() => assemble([1], more)).toThrow(expect.objectContaining({ code: 'bad-contract' }));
  });

  test('advantages count a rollout once, and an aborted one not at all', () => {
    const rollout = (rolloutId: string, reward: number | null, trained: number[], finishReason: FinishReason = 'stop') => {
      const recorder = createTurnRecorder();
      for (const [i, count] of trained.entries()) recorder.record({ id: `t${String(i)}`, promptIds: [i], outputIds: Array.from({ length: count }, () => 7), finishReason });
      return assembleSamples({ ...common, rolloutId, reward, mergeResult: lossless.merge(recorder.turns) }).samples;
    };
    const samples = withAdvantages([...rollout('a', 4, [1, 1, 1]), ...rollout('b', 0, [1]), ...rollout('c', 100, [1], 'aborted'), ...rollout('d', null, [1])]);
    expect(samples.map(({ advantage }) => advantage)).toEqual([2, 2, 2, -2, 0, undefined]);
  });

  test.each<[FinishReason, string]>([['stop', 'completed'], ['tool-calls', 'completed'], ['unknown', 'completed'], ['length', 'truncated'], ['aborted', 'aborted'], ['failed', 'failed']])('a row that ends with %s is %s', (finishReason, status) => {
    const recorder = createTurnRecorder();
    recorder.record({ id: 'a', promptIds: [1], outputIds: [2], finishReason });
    expect(assembleSamples({ ...common, mergeResult: lossless.merge(recorder.turns) }).samples[0]?.status).toBe(status);
  });
});

const call = { id: 'a', position: { file: 'f.jsonl', line: 3, byteOffset: 40 }, prompt: { status: 'exact', reasons: [], head: undefined } } as const;

function entry(turn: Partial<TurnInput>, more: Partial<LedgerInput> = {}): LedgerEntry {
  const recorder = createTurnRecorder();
  const input = { id: 'a', promptIds: [1, 2], outputIds: [3, 4, 5], finishReason: 'stop', ...turn } as TurnInput;
  const recorded = recorder.record(input);
  const [outcome] = lossless.merge(recorder.turns).outcomes;
  if (outcome === undefined) throw new Error('expected an outcome');
  return ledgerEntry({ sessionId: 's', call, promptTokens: 2, fate: { turn: recorded, outcome }, sampleIds: ['s/0000'], ...more });
}

describe('the ledger', () => {
  test('has a line for a call with where it stood and what became of it', () => {
    expect(entry({ outputLossMask: [1, 1, 0], exclusions: [{ reason: 'weight-zero', count: 1 }] })).toEqual({
      sessionId: 's', callId: 'a', file: 'f.jsonl', line: 3, byteOffset: 40, sampledTokens: 3, trainedTokens: 2, excluded: [{ reason: 'weight-zero', count: 1 }], promptTokens: 2,
      sampleIds: ['s/0000'], boundary: { cause: 'first-call', firstDifference: 0, lostTokens: 0, repeatedTokens: 0 }, flags: [], promptStatus: 'exact',
    });
  });

  test('does not count as sampled what the template wrote', () => {
    const line = entry({ outputLossMask: [1, 1, 0], spans: [{ kind: 'text', span: { start: 0, end: 2 }, callId: 'a' }, { kind: 'template', span: { start: 2, end: 3 }, callId: 'a' }] });
    expect(line.sampledTokens).toBe(2);
    expect(reconcile([line])).toEqual({ sampled: 2, trained: 2, excluded: 0 });
  });

  test('names a call that lost a token without a reason', () => {
    expect(() => reconcile([entry({}), entry({ outputLossMask: [1, 0, 1] })])).toThrow(expect.objectContaining({ code: 'ledger-mismatch', fields: { sessionId: 's', callId: 'a', sampled: 3, trained: 2, excluded: 0 } }));
  });

  test('a refused call stands with its reason', () => {
    const line = entry({}, { fate: { refused: 'render-mismatch', sampledTokens: 12 }, sampleIds: [], flags: ['reasoning-withheld'] });
    expect(line).toMatchObject({ sampledTokens: 12, trainedTokens: 0, excluded: [{ reason: 'render-mismatch', count: 12 }], flags: ['reasoning-withheld'] });
    expect(reconcile([line])).toEqual({ sampled: 12, trained: 0, excluded: 12 });
  });

  test('what the slime policy drops balances', () => {
    const recorder = createTurnRecorder();
    recorder.record({ id: 'a', promptIds: [1], outputIds: [2, 3], outputLossMask: [1, 0], exclusions: [{ reason: 'weight-zero', count: 1 }], finishReason: 'stop' });
    recorder.record({ id: 'b', parentId: 'a', promptIds: [1, 9], outputIds: [4], finishReason: 'stop' });
    const { outcomes } = slime.merge(recorder.turns);
    const lines = recorder.turns.flatMap((turn, i) => {
      const outcome = outcomes[i];
      return outcome === undefined ? [] : [ledgerEntry({ sessionId: 's', call: { ...call, id: turn.id }, promptTokens: 1, fate: { turn, outcome }, sampleIds: [] })];
    });
    expect(lines[0]?.excluded).toEqual([{ reason: 'weight-zero', count: 1 }, { reason: 'slime-rebaseline', count: 1 }]);
    expect(reconcile(lines)).toEqual({ sampled: 3, trained: 1, excluded: 2 });
  });

  test('totals add up over sessions, with reasons and causes in order', () => {
    const totals = new LedgerTotals();
    totals.addSession([entry({}), entry({ outputLossMask: [1, 1, 0], exclusions: [{ reason: 'weight-zero', count: 1 }] })], 2);
    totals.addSession([entry({}, { fate: { refused: 'damaged-reply', sampledTokens: 5 } })], 0);
    expect(totals.summary()).toEqual({ sessions: 2, calls: 3, sampledTokens: 11, trainedTokens: 5, segments: 2, excludedByReason: { 'damaged-reply': 5, 'weight-zero': 1 }, boundariesByCause: { 'first-call': 2 } });
  });
});

test('the plugin brings both policies', () => {
  expect(trajectoryPlugin.mergePolicies?.map(({ name }) => name)).toEqual(['lossless', 'slime']);
});
