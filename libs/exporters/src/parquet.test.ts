import { DuckDBInstance } from '@duckdb/node-api';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrainingSample, TrainingSampleRow } from '@turnwright/contracts';
import { expect, test } from 'vitest';
import { jsonl, parquet } from './index.js';
import { inDirectory, ODD_SAMPLES, sample } from './samples.fixture.js';

async function write(exporter: typeof jsonl, directory: string, rows: readonly TrainingSample[], rowsPerFile = 1000): Promise<readonly string[]> {
  const sink = await exporter.open(directory, { rowsPerFile });
  for (const row of rows) await sink.write(row);
  return sink.close();
}

/** DuckDB has its own Parquet reader, so that what we write is read by another. */
async function query(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}

const NOTHING = {
  weight_versions: null, advantage: null, step_rewards: null, routed_experts: null, routed_experts_shape: null, rollout_top_p_offsets: null, rollout_top_p_token_ids: null,
  tree_parent_id: null, tree_shared_length: 0,
};
/** Of the one row that has all that a row may have. */
const EVERYTHING = {
  weight_versions: '["w2"]', step_rewards: [0, 0.5], routed_experts: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], routed_experts_shape: '[5,1,2]', rollout_top_p_offsets: [0, 0, 2], rollout_top_p_token_ids: [4, 40],
  rollout_top_p: undefined, tree_parent_id: 's/0000', tree_shared_length: 4,
};

test('another reader finds the rows of the JSON lines', () =>
  inDirectory(async (directory) => {
    await write(jsonl, directory, ODD_SAMPLES);
    await write(parquet, directory, ODD_SAMPLES, 2);
    const expected = (await readFile(join(directory, 'samples-00000.jsonl'), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as TrainingSampleRow);
    const found = await query(`SELECT * FROM read_parquet('${directory}/samples-*.parquet') ORDER BY segment_index`);
    expect(found.map((row) => ({ ...row, spans: JSON.parse(row['spans'] as string) as unknown, metadata: JSON.parse(row['metadata'] as string) as unknown }))).toEqual(
      expected.map((row, i) => ({ ...NOTHING, ...row, rollout_log_probs: row.rollout_log_probs?.map(Math.fround) ?? null, ...(i === 5 ? EVERYTHING : {}) })),
    );
  }));

test('columns have the types that trainers expect', () =>
  inDirectory(async (directory) => {
    await write(parquet, directory, ODD_SAMPLES);
    const columns = await query(`DESCRIBE SELECT * FROM '${directory}/samples-00000.parquet'`);
    expect(Object.fromEntries(columns.map((column) => [column['column_name'], column['column_type']]))).toEqual({
      id: 'VARCHAR', session_id: 'VARCHAR', rollout_id: 'VARCHAR', group_id: 'VARCHAR', segment_index: 'INTEGER', segment_count: 'INTEGER',
      prompt_ids: 'INTEGER[]', response_ids: 'INTEGER[]', loss_mask: 'UTINYINT[]', rollout_log_probs: 'FLOAT[]', reward: 'DOUBLE', weight: 'DOUBLE',
      status: 'VARCHAR', spans: 'VARCHAR', metadata: 'VARCHAR', weight_versions: 'VARCHAR', advantage: 'DOUBLE', step_rewards: 'FLOAT[]', routed_experts: 'INTEGER[]',
      routed_experts_shape: 'VARCHAR', rollout_top_p_offsets: 'INTEGER[]', rollout_top_p_token_ids: 'INTEGER[]', tree_parent_id: 'VARCHAR', tree_shared_length: 'INTEGER',
    });
  }));

test('a file without rows can be read', () =>
  inDirectory(async (directory) => {
    await write(parquet, directory, []);
    expect(await query(`SELECT count(*)::INTEGER AS n FROM '${directory}/samples-00000.parquet'`)).toEqual([{ n: 0 }]);
  }));

test('columns are compressed with zstd and have no dictionary', () =>
  inDirectory(async (directory) => {
    await write(parquet, directory, ODD_SAMPLES);
    expect(await query(`SELECT DISTINCT compression, dictionary_page_offset FROM parquet_metadata('${directory}/samples-00000.parquet')`)).toEqual([{ compression: 'ZSTD', dictionary_page_offset: null }]);
  }));

test('many rows make several row groups, and many tokens several files', () =>
  inDirectory(async (directory) => {
    expect(await write(parquet, directory, Array.from({ length: 2500 }, (_, i) => sample(i)), 5000)).toHaveLength(1);
    expect(await query(`SELECT DISTINCT row_group_id::INTEGER AS id, row_group_num_rows::INTEGER AS n FROM parquet_metadata('${directory}/samples-00000.parquet') ORDER BY 1`)).toEqual([{ id: 0, n: 1024 }, { id: 1, n: 1024 }, { id: 2, n: 452 }]);
    const long = { promptIds: new Int32Array(3 << 20) };
    expect(await write(parquet, join(directory, 'long'), [0, 1, 2].map((i) => sample(i, long)))).toHaveLength(2);
  }));
