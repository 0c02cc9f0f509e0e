import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@turnwright/contracts';

/** A file being written, under its hidden name. */
export interface ShardFile {
  readonly handle: FileHandle;
  readonly path: string;
}

/**
 * The files of one run: `samples-00000.EXT`, `samples-00001.EXT`, …
 *
 * Each is written under a hidden name, `.samples-00000.EXT.partial`, and all are renamed at the end, so that a run that stops half-way
 * leaves nothing that looks finished. What an earlier run left under hidden names is removed first.
 */
export class ShardFiles {
  private readonly directory: string;
  private readonly extension: string;
  private readonly names: string[] = [];

  private constructor(directory: string, extension: string) {
    this.directory = directory;
    this.extension = extension;
  }

  /** throws AgentError `unwritable-output` when the directory cannot be made or written */
  static async open(directory: string, extension: string): Promise<ShardFiles> {
    await translated(directory, async () => {
      await mkdir(directory, { recursive: true });
      const stale = new RegExp(`^\\.samples-\\d{5,}\\.${extension}\\.partial$`);
      for (const name of await readdir(directory)) if (stale.test(name)) await rm(join(directory, name));
      // Opening the first file here tells a directory that cannot be written before any work is done.
      const probe = join(directory, hidden(nameOf(0, extension)));
      await (await open(probe, 'w')).close();
      await rm(probe);
    });
    return new ShardFiles(directory, extension);
  }

  get count(): number {
    return this.names.length;
  }

  /** The next file, empty. */
  async create(): Promise<ShardFile> {
    const name = nameOf(this.names.length, this.extension);
    const path = join(this.directory, hidden(name));
    const handle = await translated(path, () => open(path, 'w'));
    this.names.push(name);
    return { handle, path };
  }

  /** Writes what has been given to the disk, so that a rename never precedes the content. */
  async finish({ handle, path }: ShardFile): Promise<void> {
    await translated(path, async () => {
      await handle.sync();
      await handle.close();
    });
  }

  /** Gives the files their names, in order. */
  async publish(): Promise<readonly string[]> {
    for (const name of this.names) await translated(this.directory, () => rename(join(this.directory, hidden(name)), join(this.directory, name)));
    return this.names;
  }

  async discard(): Promise<void> {
    for (const name of this.names) await rm(join(this.directory, hidden(name)), { force: true });
  }
}

function nameOf(index: number, extension: string): string {
  return `samples-${String(index).padStart(5, '0')}.${extension}`;
}

function hidden(name: string): string {
  return `.${name}.partial`;
}

/** A failure of the file system as `unwritable-output`, with the path. */
export async function translated<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AgentError) throw cause;
    throw new AgentError('unwritable-output', `Cannot write "${path}": ${cause instanceof Error ? cause.message : String(cause)}.`, { fields: { path }, cause });
  }
}
