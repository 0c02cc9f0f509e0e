import { AgentError, assert, type SampleSink, type TrainingSample } from '@turnwright/contracts';
import { translated, type ShardFile, type ShardFiles } from './shard-files.js';

/** Turns rows into the bytes of one file. */
export interface ShardEncoder {
  /** Bytes that can be written already, or nothing yet. */
  add(sample: TrainingSample): Uint8Array | undefined;
  /** True when the file should end here, whatever the number of rows. */
  readonly full: boolean;
  /** The rest of the file. Also called for a file without rows. */
  end(): Uint8Array;
}

interface Shard {
  readonly file: ShardFile;
  readonly encoder: ShardEncoder;
  rows: number;
}

/**
 * A sink that writes files of at most `rowsPerFile` rows.
 *
 * Rows are written one after another even if the caller does not wait; a caller that waits holds no more than one row in memory for it.
 * A run without rows still has one file, so that a reader finds what it looks for.
 */
export class ShardedSink implements SampleSink {
  private readonly files: ShardFiles;
  private readonly rowsPerFile: number;
  private readonly createEncoder: () => ShardEncoder;
  private shard: Shard | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private state: 'open' | 'ended' = 'open';

  constructor(files: ShardFiles, rowsPerFile: number, createEncoder: () => ShardEncoder) {
    if (!Number.isInteger(rowsPerFile) || rowsPerFile < 1) throw new AgentError('bad-option', `Rows per file is ${String(rowsPerFile)}; expected a whole number from 1.`, { fields: { rowsPerFile } });
    this.files = files;
    this.rowsPerFile = rowsPerFile;
    this.createEncoder = createEncoder;
  }

  write(sample: TrainingSample): Promise<void> {
    assert(this.state === 'open', 'expected a sink that is open');
    return this.enqueue(() => this.writeRow(sample));
  }

  close(): Promise<readonly string[]> {
    assert(this.state === 'open', 'expected a sink that is open');
    this.state = 'ended';
    return this.enqueue(async () => {
      if (this.files.count === 0) await this.startShard();
      await this.endShard();
      return this.files.publish();
    });
  }

  async abort(): Promise<void> {
    this.state = 'ended';
    await this.queue.catch(() => undefined);
    const handle = this.shard?.file.handle;
    this.shard = undefined;
    await handle?.close().catch(() => undefined);
    await this.files.discard();
  }

  /** After a failure every later step fails too. */
  private enqueue<T>(step: () => Promise<T>): Promise<T> {
    const result = this.queue.then(step);
    this.queue = result;
    // The caller has `result`; this branch only keeps the process from ending over it.
    result.catch(() => undefined);
    return result;
  }

  private async writeRow(sample: TrainingSample): Promise<void> {
    const shard = this.shard ?? (await this.startShard());
    const bytes = shard.encoder.add(sample);
    shard.rows += 1;
    if (bytes !== undefined) await put(shard.file, bytes);
    if (shard.rows === this.rowsPerFile || shard.encoder.full) await this.endShard();
  }

  private async startShard(): Promise<Shard> {
    this.shard = { file: await this.files.create(), encoder: this.createEncoder(), rows: 0 };
    return this.shard;
  }

  private async endShard(): Promise<void> {
    if (this.shard === undefined) return;
    await put(this.shard.file, this.shard.encoder.end());
    await this.files.finish(this.shard.file);
    this.shard = undefined;
  }
}

function put({ handle, path }: ShardFile, bytes: Uint8Array): Promise<void> {
  return translated(path, () => handle.writeFile(bytes));
}
