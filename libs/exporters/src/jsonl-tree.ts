import type { Exporter, TrainingSample } from '@turnwright/contracts';
import { requireFinite } from './finite-numbers.js';
import { integerBytes } from './integer-bytes.js';
import { headParts, logprobParts, tailParts, type JsonParts } from './json-parts.js';
import { LineEncoder } from './jsonl.js';
import { ShardFiles } from './shard-files.js';
import { ShardedSink } from './sharded-sink.js';

/** One JSON object a line: a `TreeSampleRow`, which holds of a row only what the rows before it do not. */
export const jsonlTree: Exporter = {
  name: 'jsonl-tree',
  description: 'JSON lines of a prefix tree: each row without the beginning that it shares with an earlier one.',
  open: async (directory, { rowsPerFile }) => new ShardedSink(await ShardFiles.open(directory, 'tree.jsonl'), rowsPerFile, () => new LineEncoder(lineOf)),
};

function lineOf(sample: TrainingSample): JsonParts {
  requireFinite(sample);
  const { promptIds, responseIds, tree } = sample;
  const shared = tree?.sharedLength ?? 0;
  const inResponse = Math.max(shared - promptIds.length, 0);
  const ids = new Int32Array(promptIds.length + responseIds.length - shared);
  if (shared < promptIds.length) ids.set(promptIds.subarray(shared));
  const responseStart = Math.max(promptIds.length - shared, 0);
  ids.set(responseIds.subarray(inResponse), responseStart);
  const lossMask = new Uint8Array(ids.length);
  lossMask.set(sample.lossMask.subarray(inResponse), responseStart);
  const logprobs = sample.logprobs && new Float32Array(ids.length);
  if (sample.logprobs !== undefined) logprobs?.set(sample.logprobs.subarray(inResponse), responseStart);
  const place = `,"parent_id":${tree === undefined ? 'null' : JSON.stringify(tree.parentId)},"shared_length":${String(shared)},"prompt_length":${String(promptIds.length)}`;
  return [...headParts(sample), place, ',"ids":[', integerBytes(ids), '],"loss_mask":[', integerBytes(lossMask), ']', ...logprobParts(logprobs), ...tailParts(sample), '}\n'];
}
