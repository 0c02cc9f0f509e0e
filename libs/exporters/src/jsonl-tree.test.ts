import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeSampleSchema, type TrainingSample, type TreeSampleRow } from '@turnwright/contracts';
import { expect, test } from 'vitest';
import { jsonlTree } from './index.js';
import { inDirectory, ODD_SAMPLES, sample } from './samples.fixture.js';

async function treeRows(rows: readonly TrainingSample[]): Promise<TreeSampleRow[]> {
  return inDirectory(async (directory) => {
    const sink = await jsonlTree.open(directory, { rowsPerFile: 100 });
    for (const row of rows) await sink.write(row);
    expect(await sink.close()).toEqual(['samples-00000.tree.jsonl']);
    const lines = (await readFile(join(directory, 'samples-00000.tree.jsonl'), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => treeSampleSchema.parse(JSON.parse(line)));
  });
}

/** What a reader does: a row is what its parent's row begins with, and its own tokens. */
function expand(rows: readonly TreeSampleRow[]): { promptIds: number[]; responseIds: number[]; lossMask: number[]; logprobs: number[] | null }[] {
  const whole = new Map<string, number[]>();
  return rows.map((row) => {
    const ids = [...(row.parent_id === null ? [] : (whole.get(row.parent_id) ?? [])).slice(0, row.shared_length), ...row.ids];
    whole.set(row.id, ids);
    const context = new Array<number>(row.shared_length).fill(0);
    return {
      promptIds: ids.slice(0, row.prompt_length),
      responseIds: ids.slice(row.prompt_length),
      lossMask: [...context, ...row.loss_mask].slice(row.prompt_length),
      logprobs: row.rollout_log_probs && [...context, ...row.rollout_log_probs].slice(row.prompt_length).map(Math.fround),
    };
  });
}

test('tree rows expand to the rows that were written', async () => {
  const rows = [
    ...ODD_SAMPLES,
    sample(6, { promptIds: Int32Array.of(1, 2), responseIds: Int32Array.of(0, 3, 9, 8), lossMask: Uint8Array.of(0, 0, 0, 1), logprobs: Float32Array.of(0, 0, 0, -0.5), tree: { parentId: 's/0000', sharedLength: 4 } }),
    sample(7, { promptIds: Int32Array.of(1, 7, 7), tree: { parentId: 's/0000', sharedLength: 1 } }),
  ];
  expect(expand(await treeRows(rows))).toEqual(rows.map(({ promptIds, responseIds, lossMask, logprobs }) => ({
    promptIds: [...promptIds], responseIds: [...responseIds], lossMask: [...lossMask], logprobs: logprobs === undefined ? null : [...logprobs],
  })));
});

test('a shared beginning is not written again', async () => {
  const [, row] = await treeRows([sample(0), sample(5, { promptIds: Int32Array.of(1, 2, 0), tree: { parentId: 's/0000', sharedLength: 4 } })]);
  expect(row).toMatchObject({ parent_id: 's/0000', shared_length: 4, prompt_length: 3, ids: [4], loss_mask: [1] });
});
