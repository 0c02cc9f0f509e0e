import { open, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { Buffer } from 'node:buffer';
import type { SourceFile } from '@turnwright/contracts';

const CHUNK_BYTES = 1024 * 1024;

/** A file of the disk, read in chunks of one MiB and never held. */
export async function openSourceFile(path: string): Promise<SourceFile> {
  const { size } = await stat(path);
  return {
    path,
    sizeBytes: size,
    stream: (start = 0) => createReadStream(path, { start, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>,
    slice: async (start, end) => {
      const handle = await open(path, 'r');
      try {
        const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      } finally {
        await handle.close();
      }
    },
  };
}
