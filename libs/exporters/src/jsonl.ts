import type { Exporter, TrainingSample } from '@turnwright/contracts';
import { requireFinite } from './finite-numbers.js';
import { integerBytes } from './integer-bytes.js';
import { float32Bytes } from './number-bytes.js';
import { float64Text } from './number-text.js';
import { ShardFiles } from './shard-files.js';
import { ShardedSink, type ShardEncoder } from './sharded-sink.js';
import { spanRows } from './span-rows.js';

/** One JSON object a line: a `TrainingSampleRow`. */
export const jsonl: Exporter = {
  name: 'jsonl',
  description: 'JSON lines, samples-00000.jsonl and so on, one row a line.',
  open: async (directory, { rowsPerFile }) => new ShardedSink(await ShardFiles.open(directory, 'jsonl'), rowsPerFile, () => new LineEncoder()),
};

/** Fewer, larger writes; a row may be larger. */
const FLUSH_BYTES = 1 << 20;

class LineEncoder implements ShardEncoder {
  readonly full = false;
  private parts: Uint8Array[] = [];
  private length = 0;

  add(sample: TrainingSample): Uint8Array | undefined {
    for (const part of lineOf(sample)) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      this.parts.push(bytes);
      this.length += bytes.length;
    }
    return this.length < FLUSH_BYTES ? undefined : this.end();
  }

  end(): Uint8Array {
    const bytes = Buffer.concat(this.parts, this.length);
    [this.parts, this.length] = [[], 0];
    return bytes;
  }
}

/** Written by hand: JSON.stringify wants plain arrays, and prints single-precision numbers with 17 digits. */
function lineOf(sample: TrainingSample): (string | Uint8Array)[] {
  requireFinite(sample);
  const { logprobs, reward } = sample;
  return [
    `{"id":${JSON.stringify(sample.id)},"session_id":${JSON.stringify(sample.sessionId)},"rollout_id":${JSON.stringify(sample.rolloutId)},"group_id":${JSON.stringify(sample.groupId)}`,
    `,"segment_index":${String(sample.segmentIndex)},"segment_count":${String(sample.segmentCount)},"prompt_ids":[`,
    integerBytes(sample.promptIds),
    '],"response_ids":[',
    integerBytes(sample.responseIds),
    '],"loss_mask":[',
    integerBytes(sample.lossMask),
    ...(logprobs === undefined ? ['],"rollout_log_probs":null'] : ['],"rollout_log_probs":[', float32Bytes(logprobs), ']']),
    `,"reward":${reward === null ? 'null' : float64Text(reward)},"weight":${float64Text(sample.weight)},"status":${JSON.stringify(sample.status)}`,
    `,"spans":${JSON.stringify(spanRows(sample))},"metadata":${JSON.stringify(sample.metadata)}}\n`,
  ];
}
