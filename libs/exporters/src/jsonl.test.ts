import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trainingSampleSchema, type TrainingSample } from '@turnwright/contracts';
import { expect, test } from 'vitest';
import { jsonl } from './index.js';
import { inDirectory, ODD_SAMPLES, sample } from './samples.fixture.js';

async function linesOf(rows: readonly TrainingSample[]): Promise<string[]> {
  return inDirectory(async (directory) => {
    const sink = await jsonl.open(directory, { rowsPerFile: 100 });
    for (const row of rows) await sink.write(row);
    const [name] = await sink.close();
    return (await readFile(join(directory, name ?? ''), 'utf8')).split('\n').slice(0, -1);
  });
}

test('a line has the names that trainers use, and nothing else', async () => {
  const [line] = await linesOf([sample(0)]);
  expect(line).toBe(
    '{"id":"s/0000","session_id":"s","rollout_id":"r","group_id":"g","segment_index":0,"segment_count":3,"prompt_ids":[1,2,0],"response_ids":[3,4],"loss_mask":[0,1],' +
      '"rollout_log_probs":null,"reward":0.5,"weight":0.3333333333333333,"status":"completed","spans":[{"start":0,"end":2,"kind":"text","call_id":"c"}],"metadata":{}}',
  );
});

test('every line fits the contract', async () => {
  const lines = await linesOf(ODD_SAMPLES);
  expect(lines).toHaveLength(ODD_SAMPLES.length);
  for (const line of lines) expect(trainingSampleSchema.safeParse(JSON.parse(line)).error).toBeUndefined();
});

test('log-probs are printed as shortly as single precision allows and read back the same', async () => {
  const values = [-0.1, 1e-7, -0, 0, -1, -2.5, -16777217, -0.30000001192092896, -1.1754943508222875e-38, -1e-45, -3.4028234663852886e38];
  const logprobs = Float32Array.from(values);
  const [line] = await linesOf([sample(0, { logprobs })]);
  expect(line).toContain('"rollout_log_probs":[-0.1,1e-7,-0.0,0,-1,-2.5,-16777216,-0.3,-1.1754944e-38,-1e-45,-3.4028235e+38]');
  expect(Float32Array.from((JSON.parse(line ?? '') as { rollout_log_probs: number[] }).rollout_log_probs)).toEqual(logprobs);
});

test('every single-precision number survives', async () => {
  const bits = Uint32Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  const logprobs = new Float32Array(bits.buffer).filter(Number.isFinite);
  const [line] = await linesOf([sample(0, { logprobs })]);
  expect(Float32Array.from((JSON.parse(line ?? '') as { rollout_log_probs: number[] }).rollout_log_probs)).toEqual(logprobs);
});

test('metadata keeps every character', async () => {
  const odd = ODD_SAMPLES[1];
  const [line] = await linesOf([odd ?? sample(1)]);
  expect((JSON.parse(line ?? '') as { metadata: unknown }).metadata).toEqual(odd?.metadata);
});
