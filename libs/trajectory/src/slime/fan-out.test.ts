import { describe, expect, test } from 'vitest';
import { createTurnRecorder, fanOutSegments, lossless, type SlimeSample, type SlimeSegment } from '../index.js';

const base: SlimeSample = {
  groupIndex: 1, index: 4, rolloutId: null, prompt: 'p', tokens: [], response: '', responseLength: 0, label: null, reward: null, lossMask: null,
  rolloutLogProbs: null, removeSample: false, metadata: { a: 'sample', b: 'sample', c: 'sample' }, sessionId: 's', trainMetadata: null, status: 'pending',
};
const segment = (id: number, metadata: Record<string, unknown> = {}): SlimeSegment => ({ promptIds: [65], responseIds: [id], lossMask: [1], metadata });
const options = { decode: (ids: readonly number[]) => String.fromCodePoint(...ids) };

describe('a fan-out', () => {
  test('splits the reward as slime does, or gives it whole, or to the last', () => {
    const segments = [segment(66), segment(67)];
    const rewards = (mode: 'full' | 'split' | 'last') => fanOutSegments(base, segments, -1, mode, options).map(({ reward }) => reward);
    expect([rewards('split'), rewards('full'), rewards('last')]).toEqual([[-0.5, -0.5], [-1, -1], [0, -1]]);
  });

  test('the nearest metadata wins', () => {
    const [only] = fanOutSegments(base, [segment(66, { c: 'segment' })], 1, 'split', { ...options, metadata: { b: 'call', c: 'call' } });
    expect(only?.metadata).toEqual({ a: 'sample', b: 'call', c: 'segment', segment_idx: 0, num_segments: 1 });
  });

  test('rows share the rollout: the one that is named, or the sample', () => {
    expect(fanOutSegments(base, [segment(66)], 1, 'split', options)[0]).toMatchObject({ rolloutId: 4, tokens: [65, 66], response: 'B', responseLength: 1, status: 'completed' });
    expect(fanOutSegments(base, [segment(66)], 1, 'split', { ...options, rolloutId: 9 })[0]?.rolloutId).toBe(9);
  });

  test('of a merge keep log-probs, weigh one together, and end as their last call did', () => {
    const recorder = createTurnRecorder();
    recorder.record({ id: 'a', promptIds: [65], outputIds: [66], outputLogprobs: [-0.5], finishReason: 'stop' });
    recorder.record({ id: 'b', promptIds: [67], outputIds: [68], finishReason: 'length' });
    recorder.record({ id: 'c', promptIds: [69], outputIds: [70], finishReason: 'aborted' });
    recorder.record({ id: 'd', promptIds: [71], outputIds: [72], finishReason: 'failed' });
    const samples = fanOutSegments(base, lossless.merge(recorder.turns).segments, 2, 'full', options);
    expect(samples.map(({ status, reward, weight, rolloutId, groupIndex, metadata }) => [status, reward, weight, rolloutId, groupIndex, metadata['segment_idx']])).toEqual(
      ['completed', 'truncated', 'aborted', 'failed'].map((status, i) => [status, 2, 0.25, 4, 1, i]),
    );
    expect(samples[0]).toMatchObject({ tokens: [65, 66], lossMask: [1], rolloutLogProbs: [-0.5], response: 'B' });
  });

  test('no segments make no samples, and the sample is never changed', () => {
    const before = structuredClone(base);
    expect(fanOutSegments(base, [], 1, 'split', options)).toEqual([]);
    fanOutSegments(base, [segment(66)], 1, 'split', options);
    expect(base).toEqual(before);
  });
});
