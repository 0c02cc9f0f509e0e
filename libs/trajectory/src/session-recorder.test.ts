import { describe, expect, test } from 'vitest';
import { createSessionRecorder, lossless } from './index.js';

const call = (id: string, promptIds: number[], outputIds: number[]) => ({ id, promptIds, outputIds, finishReason: 'stop' }) as const;
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return undefined;
};

describe('a session recorder', () => {
  test('stores on every branch only what a call adds', () => {
    const { main } = createSessionRecorder('s');
    main.append(call('a', [1, 2], [3]));
    const fork = main.fork('b1');
    main.append(call('b', [1, 2, 3, 4], [5]));
    fork.append(call('c', [1, 2, 3, 6], [7]));
    const inheriting = main.subagent('sub1', 'prefix').append(call('d', [1, 2, 3, 4, 5, 8], [9]));
    const fresh = main.subagent('sub2', 'nothing').append(call('e', [1, 50], [9]));
    expect(fork.head).toMatchObject({ parentId: 'a', keptPrefix: 3, promptTail: Int32Array.of(6), branchId: 'b1', operation: 'fork' });
    expect(inheriting).toMatchObject({ parentId: 'b', keptPrefix: 5, promptTail: Int32Array.of(8), branchId: 'sub1', operation: 'subagent' });
    expect(fresh).toMatchObject({ keptPrefix: 0, promptTail: Int32Array.of(1, 50), branchId: 'sub2', operation: 'subagent' });
    expect(fresh.parentId).toBeUndefined();
  });

  test('a retry is a sibling that later calls continue', () => {
    const { main, turns } = createSessionRecorder('s');
    main.append(call('a', [1], [2]));
    main.append(call('b', [1, 2, 3], [4]));
    main.retry(call('b2', [1, 2, 3], [5]));
    main.append(call('c', [1, 2, 3, 5, 6], [7]));
    expect(turns.map(({ id, parentId, operation }) => [id, parentId, operation])).toEqual([['a', undefined, undefined], ['b', 'a', undefined], ['b2', 'a', 'retry'], ['c', 'b2', undefined]]);
    expect(lossless.merge(turns).segments.map((segment) => segment.turns.map(({ id }) => id))).toEqual([['a', 'b'], ['a', 'b2', 'c']]);
  });

  test.each(['edit', 'compaction', 'cleared-results'] as const)('after a context change (%s) the boundary says so', (change) => {
    const { main, close } = createSessionRecorder('s');
    main.append(call('a', [1, 2, 3], [4]));
    main.append(call('b', [1, 9, 3, 4, 5], [6]), change);
    const { segments, outcomes } = lossless.merge(close());
    expect(segments).toHaveLength(2);
    expect(outcomes[1]?.boundary).toEqual({ cause: 'context-operation', firstDifference: 1, lostTokens: 0, repeatedTokens: 1 });
  });

  test('a rewind goes on from an earlier call', () => {
    const { main, turns } = createSessionRecorder('s');
    main.append(call('a', [1], [2]));
    main.append(call('b', [1, 2, 3], [4]));
    main.rewind('a');
    expect(main.append(call('c', [1, 2, 5], [6]))).toMatchObject({ parentId: 'a', keptPrefix: 2, operation: 'rewind' });
    expect(lossless.merge(turns).outcomes[2]?.boundary?.cause).toBe('branch');
  });

  test('what is closed, unknown or named twice is refused with its code, and branches outlive where they came from', () => {
    const session = createSessionRecorder('s');
    const { main } = session;
    expect(codeOf(() => main.retry(call('x', [1], [2])))).toBe('missing-parent');
    main.append(call('a', [1], [2]));
    const fork = main.fork('b1');
    expect(codeOf(() => main.fork('b1'))).toBe('duplicate-name');
    expect(codeOf(() => { main.rewind('zzz'); })).toBe('missing-parent');
    main.close();
    expect(codeOf(() => main.append(call('b', [1, 2], [3])))).toBe('closed');
    expect(codeOf(() => main.fork('b2'))).toBe('closed');
    expect(codeOf(() => fork.append(call('c', [1, 2], [3])))).toBeUndefined();
    expect(session.close()).toHaveLength(2);
    expect(codeOf(() => fork.append(call('d', [1, 2], [3])))).toBe('closed');
  });

  test('10,000 calls deep, in a chain of rewrites and of branches, nothing recurses', () => {
    const { main, close } = createSessionRecorder('s');
    main.append(call('t0', [1], [2]));
    for (let i = 1; i < 10_000; i++) {
      const { head } = main;
      const length = (head?.keptPrefix ?? 0) + (head?.promptTail.length ?? 0) + 1;
      // Every hundredth call rewrites the output before it.
      main.append({ id: `t${String(i)}`, keptPrefix: i % 100 === 0 ? length - 1 : length, promptTail: [9, i], outputIds: [2], finishReason: 'stop' });
    }
    const { outcomes } = lossless.merge(close());
    expect(outcomes.reduce((total, { trainedTokens }) => total + trainedTokens, 0)).toBe(10_000);
  });
});

describe('data of the rollout', () => {
  const experts = (start: number, ...values: number[]) => ({ start, layers: 1, topK: 2, data: Int16Array.from(values) });

  test('weight versions, experts and candidates reach the row', () => {
    const { main, close } = createSessionRecorder('s');
    // The last token of an output is not fed back, so the first call has experts for 2 of its 3 tokens.
    main.append({ ...call('a', [1, 2], [3]), weightVersion: 'w1', routedExperts: experts(0, 1, 2, 3, 4), topP: { offsets: Int32Array.of(0, 2), tokenIds: Int32Array.of(3, 30) } });
    const second = main.append({ ...call('b', [1, 2, 3, 4], [5, 6]), weightVersion: 'w2', routedExperts: experts(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), topP: { offsets: Int32Array.of(0, 1, 2), tokenIds: Int32Array.of(5, 6) } });
    expect(second.routedExperts).toEqual(experts(2, 5, 6, 7, 8, 9, 10));
    const [row] = lossless.merge(close()).segments;
    expect(row?.turns.map(({ weightVersion }) => weightVersion)).toEqual(['w1', 'w2']);
    expect(row?.routedExperts).toEqual(experts(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0));
    expect(row?.topP).toEqual({ offsets: Int32Array.of(0, 2, 2, 3, 4), tokenIds: Int32Array.of(3, 30, 5, 6) });
  });

  test('a row without any has none', () => {
    const { main, close } = createSessionRecorder('s');
    main.append(call('a', [1], [2]));
    expect(Object.keys(lossless.merge(close()).segments[0] ?? {})).not.toEqual(expect.arrayContaining(['routedExperts']));
  });

  test.each([
    ['length-mismatch', { routedExperts: experts(0, 1, 2, 3) }],
    ['length-mismatch', { routedExperts: experts(2, 1, 2, 3, 4) }],
    ['length-mismatch', { topP: { offsets: Int32Array.of(0), tokenIds: Int32Array.of() } }],
    ['bad-contract', { topP: { offsets: Int32Array.of(1, 2), tokenIds: Int32Array.of(3, 4) } }],
  ])('%s for data that does not fit', (code, more) => {
    expect(codeOf(() => createSessionRecorder('s').main.append({ ...call('a', [1, 2], [3]), ...more }))).toBe(code);
  });

  test('an id outside the vocabulary is refused', () => {
    expect(codeOf(() => createSessionRecorder('s', { vocabularySize: 10 }).main.append(call('a', [1, 10], [3])))).toBe('bad-contract');
  });
});
