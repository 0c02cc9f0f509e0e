import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTurnRecorder, type TurnInput } from './index.js';
import { plainTurns, recordTurns, seeded } from './random-turns.fixture.js';

const first: TurnInput = { id: 'a', promptIds: [1, 2], outputIds: [3], finishReason: 'stop' };

function codeOf(input: TurnInput): unknown {
  const recorder = createTurnRecorder();
  recorder.record(first);
  try {
    recorder.record(input);
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return undefined;
}

describe('a turn recorder', () => {
  test('keeps of a full prompt what the parent does not have', () => {
    const recorder = createTurnRecorder();
    recorder.record(first);
    expect(recorder.record({ id: 'b', parentId: 'a', promptIds: [1, 2, 3, 4, 5], outputIds: [6], finishReason: 'stop' })).toMatchObject({ keptPrefix: 3, promptTail: Int32Array.of(4, 5) });
    expect(recorder.record({ id: 'c', parentId: 'b', promptIds: [1, 2, 9], outputIds: [6], finishReason: 'stop' })).toMatchObject({ keptPrefix: 2, promptTail: Int32Array.of(9) });
    expect(recorder.record({ id: 'd', parentId: 'c', promptIds: [1], outputIds: [], finishReason: 'stop' })).toMatchObject({ keptPrefix: 1, promptTail: Int32Array.of() });
  });

  test('finds a difference anywhere in a long prompt, given as a list or as a typed array', () => {
    const long = Array.from({ length: 5000 }, (_, i) => i);
    for (const at of [0, 1, 1023, 1024, 1025, 4096, 4999]) {
      const changed = long.map((id, i) => (i === at ? 7777 : id));
      for (const promptIds of [changed, Int32Array.from(changed)]) {
        const recorder = createTurnRecorder();
        recorder.record({ id: 'a', promptIds: long.slice(0, 3000), outputIds: long.slice(3000), finishReason: 'stop' });
        expect(recorder.record({ id: 'b', parentId: 'a', promptIds, outputIds: [], finishReason: 'stop' }).keptPrefix).toBe(at);
      }
    }
  });

  test('refuses wrong lengths, ids, parents and numbers, each with its code', () => {
    const next = { id: 'b', parentId: 'a', promptIds: [1, 2, 3], outputIds: [4, 5], finishReason: 'stop' } as const;
    expect(codeOf(next)).toBeUndefined();
    expect(codeOf({ ...next, outputLossMask: [1] })).toBe('length-mismatch');
    expect(codeOf({ ...next, outputLogprobs: [-1, -1, -1] })).toBe('length-mismatch');
    expect(codeOf({ ...next, id: 'a' })).toBe('duplicate-name');
    expect(codeOf({ ...next, parentId: 'z' })).toBe('missing-parent');
    for (const id of [-1, 1.5, NaN, 2 ** 31]) {
      expect(codeOf({ ...next, outputIds: [4, id] })).toBe('bad-contract');
      expect(codeOf({ ...next, promptIds: [1, 2, 3, id] })).toBe('bad-contract');
    }
    expect(codeOf({ ...next, outputLogprobs: [-1, NaN] })).toBe('bad-contract');
    expect(codeOf({ ...next, outputLossMask: [1, 2] })).toBe('bad-contract');
    expect(codeOf({ id: 'b', parentId: 'a', keptPrefix: 4, promptTail: [], outputIds: [], finishReason: 'stop' })).toBe('length-mismatch');
  });

  test('a refused turn leaves the recorder as it was', () => {
    const recorder = createTurnRecorder();
    recorder.record(first);
    expect(() => recorder.record({ id: 'b', parentId: 'a', promptIds: [1, 2, 3], outputIds: [-1], finishReason: 'stop' })).toThrow('output token 0 is -1');
    expect(recorder.record({ id: 'b', parentId: 'a', promptIds: [1, 2, 3], outputIds: [4], finishReason: 'stop' }).keptPrefix).toBe(3);
    expect(recorder.turns.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('what it stores gives every prompt back', () => {
    fc.assert(fc.property(plainTurns, (turns) => {
      const whole = new Map<string, number[]>();
      for (const [i, record] of recordTurns(turns).entries()) {
        const prompt = [...(whole.get(record.parentId ?? '') ?? []).slice(0, record.keptPrefix), ...record.promptTail];
        expect(prompt).toEqual(turns[i]?.promptIds);
        whole.set(record.id, [...prompt, ...record.outputIds]);
      }
    }), seeded('recorder'));
  });
});
