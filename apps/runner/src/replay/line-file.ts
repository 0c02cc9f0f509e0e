import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { hidden, writing } from './output-directory.js';

const FLUSH_CHARACTERS = 1 << 16;

/** A file of lines that is there under its name only once it is whole. */
export class LineFile {
  private pending: string[] = [];
  private pendingLength = 0;

  private constructor(private readonly handle: FileHandle, private readonly partial: string, private readonly path: string) {}

  static async create(directory: string, name: string): Promise<LineFile> {
    const partial = join(directory, hidden(name));
    return new LineFile(await writing(partial, () => open(partial, 'w')), partial, join(directory, name));
  }

  async write(line: string): Promise<void> {
    this.pending.push(line, '\n');
    this.pendingLength += line.length + 1;
    if (this.pendingLength >= FLUSH_CHARACTERS) await this.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    await writing(this.path, async () => {
      await this.handle.sync();
      await this.handle.close();
      await rename(this.partial, this.path);
    });
  }

  /** May be called after a failed close. */
  async abort(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.partial, { force: true });
  }

  private async flush(): Promise<void> {
    const text = this.pending.join('');
    this.pending = [];
    this.pendingLength = 0;
    await writing(this.partial, () => this.handle.appendFile(text));
  }
}
