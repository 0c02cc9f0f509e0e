import type { Exporter, TrainingSample } from '@turnwright/contracts';
import { requireFinite } from './finite-numbers.js';
import { integerBytes } from './integer-bytes.js';
import { headParts, logprobParts, tailParts, type JsonParts } from './json-parts.js';
import { ShardFiles } from './shard-files.js';
import { ShardedSink, type ShardEncoder } from './sharded-sink.js';

/** One JSON object a line: a `TrainingSampleRow`. */
export const jsonl: Exporter = {
  name: 'jsonl',
  description: 'JSON lines, samples-00000.jsonl and so on, one row a line.',
  open: async (directory, { rowsPerFile }) => new ShardedSink(await ShardFiles.open(directory, 'jsonl'), rowsPerFile, () => new LineEncoder(lineOf)),
};

/** Fewer, larger writes; a row may be larger. */
const FLUSH_BYTES = 1 << 20;

/** Rows as lines, each made by `lineOf`. */
export class LineEncoder implements ShardEncoder {
  readonly full = false;
  private readonly lineOf: (sample: TrainingSample) => JsonParts;
  private parts: Uint8Array[] = [];
  private length = 0;

  constructor(lineOf: (sample: TrainingSample) => JsonParts) {
    this.lineOf = lineOf;
  }

  add(sample: TrainingSample): Uint8Array | undefined {
    for (const part of this.lineOf(sample)) {
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
function lineOf(sample: TrainingSample): JsonParts {
  requireFinite(sample);
  return [...headParts(sample), ',"prompt_ids":[', integerBytes(sample.promptIds), '],"response_ids":[', integerBytes(sample.responseIds), '],"loss_mask":[', integerBytes(sample.lossMask), ']', ...logprobParts(sample.logprobs), ...tailParts(sample), '}\n'];
}
