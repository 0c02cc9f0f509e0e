import type { TurnRecord } from '@turnwright/contracts';
import { describe, expect, test } from 'vitest';
import { agentLoopOutput, assembleSamples, lossless, slime, toTensors } from './index.js';

const turn = (id: string, more: Partial<TurnRecord> = {}): TurnRecord => ({
  id, keptPrefix: 0, promptTail: Int32Array.of(1), outputIds: Int32Array.of(2, 3), outputLossMask: Uint8Array.of(1, 1), finishReason: 'stop', ...more,
});

const BAD: readonly [code: string, title: string, turns: readonly TurnRecord[]][] = [
  ['length-mismatch', 'a loss mask that is too short', [turn('a', { outputLossMask: Uint8Array.of(1) })]],
  ['length-mismatch', 'a loss mask that is too long', [turn('a', { outputLossMask: Uint8Array.of(1, 1, 1) })]],
  ['length-mismatch', 'too few log-probs', [turn('a', { outputLogprobs: Float32Array.of(-1) })]],
  ['length-mismatch', 'too many log-probs', [turn('a', { outputLogprobs: Float32Array.of(-1, -1, -1) })]],
  ['length-mismatch', 'a kept prefix that the parent does not have', [turn('a'), turn('b', { parentId: 'a', keptPrefix: 4 })]],
  ['length-mismatch', 'a kept prefix without a parent', [turn('a', { keptPrefix: 1 })]],
  ['length-mismatch', 'a kept prefix that is no number', [turn('a', { keptPrefix: NaN })]],
  ['bad-contract', 'a log-prob that is NaN', [turn('a', { outputLogprobs: Float32Array.of(-1, NaN) })]],
  ['bad-contract', 'an infinite log-prob', [turn('a', { outputLogprobs: Float32Array.of(-Infinity, -1) })]],
  ['bad-contract', 'a negative id in a prompt', [turn('a', { promptTail: Int32Array.of(1, -5) })]],
  ['bad-contract', 'a negative id in an output', [turn('a', { outputIds: Int32Array.of(-5, 2) })]],
  ['duplicate-name', 'two turns of one name', [turn('a'), turn('a')]],
  ['missing-parent', 'a parent that is not there', [turn('a'), turn('b', { parentId: 'z' })]],
  ['missing-parent', 'a parent that stands after its child', [turn('a', { parentId: 'b' }), turn('b')]],
  ['cycle', 'a turn that is its own parent', [turn('a', { parentId: 'a' })]],
  ['cycle', 'two turns that are each other\'s parents', [turn('a', { parentId: 'b' }), turn('b', { parentId: 'a' })]],
];

describe('turns that cannot be merged', () => {
  test.each(BAD)('%s: %s', (code, _title, turns) => {
    expect(() => lossless.merge(turns)).toThrow(expect.objectContaining({ code }));
  });

  test('the slime policy refuses all of them but a mask of the wrong length, which slime defines and the ledger counts', () => {
    for (const [code, title, turns] of BAD) {
      if (title.startsWith('a loss mask')) expect(slime.merge(turns).outcomes, title).toMatchObject([{ trainedTokens: 0, excluded: [{ reason: 'slime-mask-length', count: 2 }] }]);
      else expect(() => slime.merge(turns), title).toThrow(expect.objectContaining({ code }));
    }
  });

  test('a message names the turn, what was expected and what was found', () => {
    expect(() => lossless.merge([turn('a', { parentId: 'b' }), turn('b', { parentId: 'a' })])).toThrow('Turn "a" stands among its own ancestors: a < b < a.');
    expect(() => lossless.merge([turn('a', { outputLossMask: Uint8Array.of(1) })])).toThrow('Turn "a": the loss mask has 1 entries; expected 2, one for each output token.');
  });
});

describe('an empty response with a reward', () => {
  test('is an error where a tensor must hold the reward', () => {
    expect(() => toTensors(agentLoopOutput({ promptIds: [1], responseIds: [], responseMask: [], rewardScore: 1 }))).toThrow(expect.objectContaining({ code: 'cannot-express' }));
  });

  test('makes no row, and the reward is named as unplaced', () => {
    const mergeResult = lossless.merge([turn('a', { outputIds: new Int32Array(), outputLossMask: new Uint8Array() })]);
    expect(assembleSamples({ sessionId: 's', rolloutId: 'r', groupId: 'g', reward: 1, mergeResult })).toMatchObject({ samples: [], skippedSegments: [0], unplaced: { reward: 1 } });
  });
});
