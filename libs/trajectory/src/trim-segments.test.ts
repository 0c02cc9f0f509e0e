import { describe, expect, test } from 'vitest';
import { assembleSamples, createTurnRecorder, lossless, trimSegments, type TrimMode } from './index.js';

/** Calls of one row: the first has `prompt` tokens of prompt, each further one 2 of context, and each samples as many tokens as the number says. */
function row(prompt: number, ...outputs: number[]) {
  const recorder = createTurnRecorder();
  let held: number[] = Array.from({ length: prompt }, (_, i) => i + 1);
  for (const [i, count] of outputs.entries()) {
    const promptIds = i === 0 ? held : [...held, 50 + i, 60 + i];
    const outputIds = Array.from({ length: count }, (_, k) => 100 * (i + 1) + k);
    recorder.record({ id: `t${String(i)}`, ...(i === 0 ? {} : { parentId: `t${String(i - 1)}` }), promptIds, outputIds, outputLogprobs: outputIds.map((id) => -id), finishReason: 'stop' });
    held = [...promptIds, ...outputIds];
  }
  return lossless.merge(recorder.turns);
}

const trim = (result: ReturnType<typeof row>, maxTokens: number, mode: TrimMode) => {
  const { segments, outcomes } = trimSegments(result, { maxTokens, mode });
  return {
    rows: segments.map(({ promptIds, responseIds, lossMask }) => [[...promptIds], [...responseIds], [...lossMask]]),
    outcomes: outcomes.map(({ trainedTokens, excluded, segmentIndices }) => [trainedTokens, excluded, segmentIndices]),
    segments,
  };
};

const over = (count: number) => [{ reason: 'over-context', count }];

describe('a maximum context', () => {
  test('that every row keeps changes nothing', () => {
    const result = row(3, 2, 2);
    expect(trimSegments(result, { maxTokens: 9, mode: 'front' })).toBe(result);
  });

  test('drops whole calls from the front, and says what that cost', () => {
    // 3 + 1, 2 + 2, 2 + 2 tokens: the last two calls fit into 8.
    const { rows, outcomes, segments } = trim(row(3, 1, 2, 2), 8, 'front');
    expect(rows).toEqual([[[51, 61], [200, 201, 52, 62, 300, 301], [1, 1, 0, 0, 1, 1]]]);
    expect(outcomes).toEqual([[0, over(1), []], [2, [], [0]], [2, [], [0]]]);
    expect([...(segments[0]?.logprobs ?? [])]).toEqual([-200, -201, 0, 0, -300, -301]);
    expect(segments[0]?.turns.map(({ id, outputSpan }) => [id, outputSpan.start, outputSpan.end])).toEqual([['t1', 0, 2], ['t2', 4, 6]]);
  });

  test('splits at calls so that each trains once, with context before it', () => {
    const { rows, outcomes } = trim(row(3, 1, 2, 2), 8, 'split');
    expect(rows).toEqual([[[1, 2, 3], [100, 51, 61, 200, 201], [1, 0, 0, 1, 1]], [[51, 61], [200, 201, 52, 62, 300, 301], [0, 0, 0, 0, 1, 1]]]);
    expect(outcomes).toEqual([[1, [], [0]], [2, [], [0, 1]], [2, [], [1]]]);
  });

  test('one call that is too long loses the front of its prompt', () => {
    for (const mode of ['front', 'split'] as const) {
      const { rows, outcomes } = trim(row(9, 2), 5, mode);
      expect(rows).toEqual([[[7, 8, 9], [100, 101], [1, 1]]]);
      expect(outcomes).toEqual([[2, [], [0]]]);
    }
  });

  test('an output that leaves no room for a prompt is given up, and the row without loss is skipped and counted', () => {
    const result = trimSegments(row(3, 6), { maxTokens: 5, mode: 'split' });
    expect(result.outcomes).toMatchObject([{ trainedTokens: 0, excluded: over(6), segmentIndices: [] }]);
    expect(assembleSamples({ sessionId: 's', rolloutId: 'r', groupId: 'g', reward: 1, mergeResult: result })).toMatchObject({ samples: [], skippedSegments: [0], unplaced: { reward: 1 } });
  });

  test('no extent is ever negative, whatever the maximum', () => {
    for (const mode of ['front', 'split'] as const) {
      for (let maxTokens = 2; maxTokens < 20; maxTokens++) {
        const { segments, outcomes } = trimSegments(row(5, 3, 1, 4, 0, 2), { maxTokens, mode });
        for (const { promptIds, responseIds, lossMask } of segments) {
          expect(promptIds.length + responseIds.length).toBeLessThanOrEqual(maxTokens);
          expect(lossMask.length).toBe(responseIds.length);
          expect(lossMask.includes(1) ? promptIds.length : 1).toBeGreaterThan(0);
        }
        expect(outcomes.map(({ trainedTokens, excluded }) => trainedTokens + excluded.reduce((sum, { count }) => sum + count, 0))).toEqual([3, 1, 4, 0, 2]);
      }
    }
  });

  test('of less than two tokens is refused', () => {
    expect(() => trimSegments(row(1, 1), { maxTokens: 1, mode: 'front' })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});
