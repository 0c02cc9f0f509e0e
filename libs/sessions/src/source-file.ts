import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import type { SourceFile } from '@turnwright/contracts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * A file of the disk, read in chunks of one MiB and never held; a compressed one (gzip, and zstd from Node 22.15 on) is unpacked into
 * memory, and offsets are those of its content.
 */
export async function openSourceFile(path: string): Promise<SourceFile> {
  const { size } = await stat(path);
  const onDisk: SourceFile = {
    path,
    sizeBytes: size,
    stream: (start = 0) => createReadStream(path, { start, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>,
    slice: (start, end) => readSlice(path, start, end),
  };
  const unpacked = await unpackedContent(onDisk);
  return unpacked === undefined ? onDisk : inMemory(path, unpacked);
}

async function readSlice(path: string, start: number, end: number): Promise<Uint8Array> {
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
}

/** True for the first bytes of a Zstandard frame. */
export function isZstd(head: Uint8Array): boolean {
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
}

/** A file that was cut gives what could be unpacked before the cut. */
async function unpackedContent(source: SourceFile): Promise<Buffer | undefined> {
  if (source.sizeBytes < 4) return undefined;
  const head = await source.slice(0, 4);
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!gzip && !isZstd(head)) return undefined;
  try {
    const bytes = await readFile(source.path);
    if (gzip) return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    return (zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync?.(bytes);
  } catch {
    return undefined;
  }
}

function inMemory(path: string, bytes: Buffer): SourceFile {
  return {
    path,
    sizeBytes: bytes.length,
    async *stream(start = 0) {
      for (let at = start; at < bytes.length; at += CHUNK_BYTES) yield await Promise.resolve(bytes.subarray(at, at + CHUNK_BYTES));
    },
    slice: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}
