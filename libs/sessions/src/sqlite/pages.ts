import { Buffer } from 'node:buffer';
import type { SourceFile } from '@turnwright/contracts';

const BLOCK_BYTES = 256 * 1024;
const KEPT_BLOCKS = 64;

/** Pages of a database, from its log where that has a newer one. */
export class Pages {
  private readonly blocks = new Map<number, Buffer>();

  constructor(private readonly source: SourceFile, readonly pageBytes: number, private readonly log: { readonly bytes: Buffer; readonly pages: ReadonlyMap<number, number> } | undefined) {}

  /** The bytes of a page, from 1. throws RangeError when the file ends before it */
  async page(ordinal: number): Promise<Buffer> {
    const logged = this.log?.pages.get(ordinal);
    if (logged !== undefined && this.log !== undefined) return this.log.bytes.subarray(logged, logged + this.pageBytes);
    const start = this.offsetOf(ordinal);
    const block = Math.floor(start / BLOCK_BYTES);
    const bytes = await this.block(block);
    const page = bytes.subarray(start - block * BLOCK_BYTES, start - block * BLOCK_BYTES + this.pageBytes);
    if (ordinal < 1 || page.length < this.pageBytes) throw new RangeError(`expected page ${ordinal}, found the end of the file`);
    return page;
  }

  offsetOf(ordinal: number): number {
    return (ordinal - 1) * this.pageBytes;
  }

  /** Page sizes are powers of two and blocks are larger, so no page stands in two blocks. */
  private async block(ordinal: number): Promise<Buffer> {
    const known = this.blocks.get(ordinal);
    if (known !== undefined) return known;
    const start = ordinal * BLOCK_BYTES;
    const bytes = start >= this.source.sizeBytes || start < 0 ? Buffer.alloc(0) : Buffer.from(await this.source.slice(start, Math.min(this.source.sizeBytes, start + BLOCK_BYTES)));
    if (this.blocks.size >= KEPT_BLOCKS) for (const oldest of this.blocks.keys()) { this.blocks.delete(oldest); break; }
    this.blocks.set(ordinal, bytes);
    return bytes;
  }
}
