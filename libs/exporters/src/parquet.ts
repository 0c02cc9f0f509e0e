import { RecordBatch, Schema, Struct, makeData, Table, tableToIPC } from 'apache-arrow';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import type { Exporter, TrainingSample } from '@turnwright/contracts';
import { doubleColumn, integerColumn, listColumn, textColumn, type ArrowColumn } from './arrow-columns.js';
import { requireFinite } from './finite-numbers.js';
import { weightVersions } from './json-parts.js';
import { ShardFiles } from './shard-files.js';
import { ShardedSink, type ShardEncoder } from './sharded-sink.js';
import { spanRows } from './span-rows.js';

/**
 * The columns of the JSON lines, ids as list<int32>, masks as list<uint8>, log-probs as list<float32>.
 *
 * `spans` and `metadata` are JSON text: their shape is the recipe's, and one schema must fit every file.
 */
export const parquet: Exporter = {
  name: 'parquet',
  description: 'Parquet (zstd), samples-00000.parquet and so on.',
  open: async (directory, { rowsPerFile }) => new ShardedSink(await ShardFiles.open(directory, 'parquet'), rowsPerFile, () => new TableEncoder()),
};

/**
 * A file ends after so many tokens, also when it has fewer rows than asked for.
 *
 * A file is encoded in WebAssembly memory, which never shrinks and ends at 4 GiB; 4 million tokens need some 150 MB.
 */
const TOKENS_PER_FILE = 4 << 20;

const ROWS_PER_GROUP = 1024;

class TableEncoder implements ShardEncoder {
  private readonly samples: TrainingSample[] = [];
  private tokens = 0;

  get full(): boolean {
    return this.tokens >= TOKENS_PER_FILE;
  }

  add(sample: TrainingSample): undefined {
    requireFinite(sample);
    this.samples.push(sample);
    this.tokens += sample.promptIds.length + sample.responseIds.length;
  }

  end(): Uint8Array {
    return encode(columnsOf(this.samples), this.samples.length);
  }
}

function columnsOf(samples: readonly TrainingSample[]): ArrowColumn[] {
  return [
    textColumn('id', samples.map(({ id }) => id)),
    textColumn('session_id', samples.map(({ sessionId }) => sessionId)),
    textColumn('rollout_id', samples.map(({ rolloutId }) => rolloutId)),
    textColumn('group_id', samples.map(({ groupId }) => groupId)),
    integerColumn('segment_index', samples.map(({ segmentIndex }) => segmentIndex)),
    integerColumn('segment_count', samples.map(({ segmentCount }) => segmentCount)),
    listColumn('prompt_ids', samples.map(({ promptIds }) => promptIds), 'int32', false),
    listColumn('response_ids', samples.map(({ responseIds }) => responseIds), 'int32', false),
    listColumn('loss_mask', samples.map(({ lossMask }) => lossMask), 'uint8', false),
    listColumn('rollout_log_probs', samples.map(({ logprobs }) => logprobs), 'float32', true),
    doubleColumn('reward', samples.map(({ reward }) => reward), true),
    doubleColumn('weight', samples.map(({ weight }) => weight), false),
    textColumn('status', samples.map(({ status }) => status)),
    textColumn('spans', samples.map((sample) => JSON.stringify(spanRows(sample)))),
    textColumn('metadata', samples.map(({ metadata }) => JSON.stringify(metadata))),
    ...optionalColumns(samples),
  ];
}

/** Always there, null where a row has none, so that one schema fits every file. */
function optionalColumns(samples: readonly TrainingSample[]): ArrowColumn[] {
  return [
    textColumn('weight_versions', samples.map(weightVersions).map((versions) => versions && JSON.stringify(versions)), true),
    doubleColumn('advantage', samples.map(({ advantage }) => advantage ?? null), true),
    listColumn('step_rewards', samples.map(({ stepRewards }) => stepRewards), 'float32', true),
    listColumn('routed_experts', samples.map(({ routedExperts }) => routedExperts?.data), 'int32', true),
    textColumn('routed_experts_shape', samples.map(({ routedExperts: experts, promptIds, responseIds }) => experts && JSON.stringify([promptIds.length + responseIds.length, experts.layers, experts.topK])), true),
    listColumn('rollout_top_p_offsets', samples.map(({ topP }) => topP?.offsets), 'int32', true),
    listColumn('rollout_top_p_token_ids', samples.map(({ topP }) => topP?.tokenIds), 'int32', true),
    textColumn('tree_parent_id', samples.map(({ tree }) => tree?.parentId), true),
    integerColumn('tree_shared_length', samples.map(({ tree }) => tree?.sharedLength ?? 0)),
  ];
}

function encode(columns: readonly ArrowColumn[], length: number): Uint8Array {
  const fields = columns.map(({ field }) => field);
  const schema = new Schema(fields);
  const batch = new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children: columns.map(({ data }) => data) }));
  const table = WasmTable.fromIPCStream(tableToIPC(new Table(schema, [batch]), 'stream'));
  const properties = new WriterPropertiesBuilder().setCompression(Compression.ZSTD).setDictionaryEnabled(false).setMaxRowGroupSize(ROWS_PER_GROUP).build();
  return writeParquet(table, properties);
}
