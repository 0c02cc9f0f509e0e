import type { MergeResult, TokenSpanKind } from '@turnwright/contracts';
import { describe, expect, test } from 'vitest';
import { createTurnRecorder, lossless, type TurnInput } from './index.js';

type Brief = [id: string, parentId: string | undefined, promptIds: number[], outputIds: number[], more?: Partial<TurnInput>];

function merge(...turns: Brief[]): MergeResult {
  const recorder = createTurnRecorder();
  for (const [id, parentId, promptIds, outputIds, more] of turns) recorder.record({ id, promptIds, outputIds, finishReason: 'stop', ...(parentId === undefined ? {} : { parentId }), ...more });
  return lossless.merge(recorder.turns);
}

/** Prompt, response and mask of each row. */
function rows({ segments }: MergeResult): number[][][] {
  return segments.map(({ promptIds, responseIds, lossMask }) => [[...promptIds], [...responseIds], [...lossMask]]);
}

const spans = (...kinds: [TokenSpanKind, number, number][]) => ({ spans: kinds.map(([kind, start, end]) => ({ kind, span: { start, end }, callId: 'c' })) });

describe('the lossless merge', () => {
  test('no turns make no rows', () => {
    expect(lossless.merge([])).toEqual({ segments: [], outcomes: [] });
  });

  test('turns that continue each other make one row with the context masked', () => {
    const result = merge(['a', undefined, [1, 2], [3]], ['b', 'a', [1, 2, 3, 4, 5], [6, 7]]);
    expect(rows(result)).toEqual([[[1, 2], [3, 4, 5, 6, 7], [1, 0, 0, 1, 1]]]);
    expect(result.segments[0]?.turns).toEqual([{ id: 'a', trained: true, outputSpan: { start: 0, end: 1 } }, { id: 'b', trained: true, outputSpan: { start: 3, end: 5 } }]);
    expect(result.outcomes).toEqual([
      { id: 'a', trainedTokens: 1, excluded: [], segmentIndices: [0], boundary: { cause: 'first-call', firstDifference: 0, lostTokens: 0, repeatedTokens: 0 } },
      { id: 'b', trainedTokens: 2, excluded: [], segmentIndices: [0] },
    ]);
  });

  test('a second child of a turn repeats the shared turns as context', () => {
    const result = merge(['a', undefined, [1], [2, 3]], ['b', 'a', [1, 2, 3, 4], [5]], ['c', 'a', [1, 2, 3, 6], [7]]);
    expect(rows(result)).toEqual([[[1], [2, 3, 4, 5], [1, 1, 0, 1]], [[1], [2, 3, 6, 7], [0, 0, 0, 1]]]);
    expect(result.segments[1]?.turns.map(({ trained }) => trained)).toEqual([false, true]);
    expect(result.outcomes.map(({ segmentIndices }) => segmentIndices)).toEqual([[0, 1], [0], [1]]);
    expect(result.outcomes[2]?.boundary).toMatchObject({ cause: 'branch', firstDifference: 3 });
  });

  test('the same prompt asked again is a branch with a row of its own', () => {
    const result = merge(['a', undefined, [1, 2], [3]], ['b', 'a', [1, 2], [4]]);
    expect(rows(result)).toEqual([[[1, 2], [3], [1]], [[1, 2], [4], [1]]]);
    expect(result.outcomes[1]?.boundary).toMatchObject({ cause: 'branch', firstDifference: 2 });
  });

  test('output tokens with mask 0 stay untrained', () => {
    const result = merge(['a', undefined, [1], [2, 3], { outputLossMask: [1, 0] }]);
    expect(rows(result)).toEqual([[[1], [2, 3], [1, 0]]]);
    expect(result.outcomes[0]?.trainedTokens).toBe(1);
  });

  test('log-probs stand where the mask is 1 and are 0 elsewhere; a row without any has none', () => {
    const result = merge(['a', undefined, [1], [2, 3], { outputLossMask: [1, 0], outputLogprobs: [-0.5, -0.25] }], ['b', 'a', [1, 2, 3, 4], [5]], ['c', undefined, [9], [9]]);
    expect(result.segments.map(({ logprobs }) => logprobs && [...logprobs])).toEqual([[-0.5, 0, 0, 0], undefined]);
  });

  test('spans are moved to where the outputs stand', () => {
    const result = merge(['a', undefined, [1], [2], spans(['text', 0, 1])], ['b', 'a', [1, 2, 3], [4, 5], spans(['reasoning', 0, 1], ['text', 1, 2])]);
    expect(result.segments[0]?.spans.map(({ kind, span }) => [kind, span.start, span.end])).toEqual([['text', 0, 1], ['reasoning', 2, 3], ['text', 3, 4]]);
  });

  test('a row ends as its last turn ended', () => {
    expect(merge(['a', undefined, [1], [2]], ['b', 'a', [1, 2, 3], [4], { finishReason: 'length' }]).segments[0]?.finishReason).toBe('length');
  });

  test('a record that keeps less than it could is joined all the same', () => {
    const recorder = createTurnRecorder();
    recorder.record({ id: 'a', promptIds: [1], outputIds: [2], finishReason: 'stop' });
    recorder.record({ id: 'b', parentId: 'a', keptPrefix: 0, promptTail: [1, 2, 3], outputIds: [4], finishReason: 'stop' });
    expect(rows(lossless.merge(recorder.turns))).toEqual([[[1], [2, 3, 4], [1, 0, 1]]]);
  });

  test('a loss mask of the wrong length is refused', () => {
    const turn = { id: 'a', keptPrefix: 0, promptTail: Int32Array.of(1), outputIds: Int32Array.of(2, 3), outputLossMask: Uint8Array.of(1), finishReason: 'stop' } as const;
    expect(() => lossless.merge([turn])).toThrow(expect.objectContaining({ code: 'length-mismatch' }));
  });
});

describe('the cause of a boundary', () => {
  const a: Brief = ['a', undefined, [1, 2, 3], [90, 91, 20, 4], spans(['reasoning', 0, 2], ['text', 2, 3], ['end-of-turn', 3, 4])];
  const causeOf = (prompt: number[], before: Brief = a) => merge(before, ['b', 'a', prompt, [5]]).outcomes[1]?.boundary;

  test('a thought that is gone', () => {
    expect(causeOf([1, 2, 3, 20, 4])).toMatchObject({ cause: 'template-dropped-reasoning', firstDifference: 3 });
    expect(causeOf([1, 2, 3, 90, 20, 4])).toMatchObject({ cause: 'template-dropped-reasoning', firstDifference: 4 });
  });

  test('a thought that is gone with the opener that the prompt held', () => {
    expect(causeOf([1, 2, 20, 4])).toMatchObject({ cause: 'template-dropped-reasoning', firstDifference: 2 });
  });

  test('an answer in other tokens', () => {
    expect(causeOf([1, 2, 3, 90, 91, 21, 4])).toMatchObject({ cause: 'retokenised-history', firstDifference: 5 });
    expect(causeOf([1, 2, 3, 90, 91, 20, 8])).toMatchObject({ cause: 'retokenised-history', firstDifference: 6 });
  });

  test('context that the harness changed', () => {
    const text: Brief = ['a', undefined, [1, 2, 3], [20, 4], spans(['text', 0, 2])];
    expect(causeOf([1, 7, 3, 20, 4], text)).toMatchObject({ cause: 'harness-rewrite', firstDifference: 1 });
  });

  test('an output whose spans nobody knows', () => {
    expect(causeOf([1, 2, 3, 7], ['a', undefined, [1, 2, 3], [4]])).toMatchObject({ cause: 'unknown', firstDifference: 3 });
  });

  test('an empty thought that the template had written', () => {
    const empty: Brief = ['a', undefined, [1], [60, 61, 20], spans(['template', 0, 2], ['text', 2, 3])];
    expect(causeOf([1, 20, 5], empty)).toMatchObject({ cause: 'template-dropped-reasoning', firstDifference: 1 });
  });

  test('a difference in an output further back', () => {
    const result = merge(a, ['b', 'a', [1, 2, 3, 90, 91, 20, 4, 30], [31]], ['c', 'b', [1, 2, 3, 20, 4, 30, 31], [32]]);
    expect(result.outcomes[2]?.boundary).toMatchObject({ cause: 'template-dropped-reasoning', firstDifference: 3 });
  });
});
