import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainingSample } from '@turnwright/contracts';

/** A row that can be told from its neighbours. */
export function sample(index: number, more: Partial<TrainingSample> = {}): TrainingSample {
  return {
    id: `s/${String(index).padStart(4, '0')}`,
    sessionId: 's',
    rolloutId: 'r',
    groupId: 'g',
    segmentIndex: index,
    segmentCount: 3,
    promptIds: Int32Array.of(1, 2, index),
    responseIds: Int32Array.of(3, 4),
    lossMask: Uint8Array.of(0, 1),
    turns: [],
    spans: [{ span: { start: 0, end: 2 }, kind: 'text', callId: 'c' }],
    reward: 0.5,
    weight: 1 / 3,
    status: 'completed',
    metadata: {},
    ...more,
  };
}

/** Rows with everything that a format can get wrong. */
export const ODD_SAMPLES: readonly TrainingSample[] = [
  sample(0, { logprobs: Float32Array.of(-0.1, 1e-7) }),
  sample(1, { reward: null, metadata: { 'naïve "key"\n': ['日本語', '🦉', '\ud800', { deep: null, '1': 1 }] } }),
  sample(2, { promptIds: Int32Array.of(), responseIds: Int32Array.of(), lossMask: Uint8Array.of(), spans: [], logprobs: Float32Array.of() }),
  sample(3, { logprobs: Float32Array.of(-0, -3.4e38), reward: -0, status: 'truncated' }),
  sample(4, { promptIds: Int32Array.of(2147483647), id: 'ünïcode/0004' }),
  sample(5, {
    promptIds: Int32Array.of(1, 2, 0),
    advantage: -0.25,
    stepRewards: Float32Array.of(0, 0.5),
    turns: [{ id: 'a', trained: false, outputSpan: { start: 0, end: 1 }, weightVersion: 'w1' }, { id: 'b', trained: true, outputSpan: { start: 1, end: 2 }, weightVersion: 'w2' }],
    routedExperts: { start: 0, layers: 1, topK: 2, data: Int16Array.from({ length: 10 }, (_, i) => i) },
    topP: { offsets: Int32Array.of(0, 0, 2), tokenIds: Int32Array.of(4, 40) },
    tree: { parentId: 's/0000', sharedLength: 4 },
  }),
];

/** A new directory, removed after `use`. */
export async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'exporters-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
