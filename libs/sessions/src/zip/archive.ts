import { Buffer } from 'node:buffer';
import * as zlib from 'node:zlib';
import type { SourceFile } from '@turnwright/contracts';

/** A file in an archive. */
export interface ArchiveEntry {
  readonly name: string;
  readonly method: number;
  readonly compressedBytes: number;
  /** Of its local header. */
  readonly byteOffset: number;
}

const END_RECORD = 0x06054b50;
const CENTRAL_RECORD = 0x02014b50;
const LOCAL_RECORD = 0x04034b50;

/**
 * The files of a ZIP archive from its directory; undefined when it has none, as an archive that was cut has not.
 *
 * source  https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.9.TXT
 */
export async function archiveEntries(source: SourceFile): Promise<ArchiveEntry[] | undefined> {
  const start = Math.max(0, source.sizeBytes - 22 - 65_535);
  const tail = Buffer.from(await source.slice(start, source.sizeBytes));
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_RECORD) continue;
    const directory = Buffer.from(await source.slice(tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 16) + tail.readUInt32LE(at + 12)));
    return readDirectory(directory);
  }
  return undefined;
}

function readDirectory(directory: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === CENTRAL_RECORD; ) {
    const [nameLength, extraLength, commentLength] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30), directory.readUInt16LE(at + 32)];
    entries.push({ name: directory.toString('utf8', at + 46, at + 46 + nameLength), method: directory.readUInt16LE(at + 10), compressedBytes: directory.readUInt32LE(at + 20), byteOffset: directory.readUInt32LE(at + 42) });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** The bytes of a file in an archive, or why there are none. */
export async function readEntry(source: SourceFile, entry: ArchiveEntry): Promise<Buffer | { readonly reason: string }> {
  const header = Buffer.from(await source.slice(entry.byteOffset, entry.byteOffset + 30));
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_RECORD) return { reason: 'expected the header of the entry, found other bytes' };
  const start = entry.byteOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const stored = Buffer.from(await source.slice(start, start + entry.compressedBytes));
  try {
    if (entry.method === 0) return stored;
    if (entry.method === 8) return zlib.inflateRawSync(stored);
    if (entry.method === ZSTD) return unpackZstd(stored);
    return { reason: `expected deflate or zstd, found the method ${entry.method}` };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

const ZSTD = 93;

/** Node has it from 22.15 on. */
function unpackZstd(stored: Buffer): Buffer | { readonly reason: string } {
  const unpack = (zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync;
  return unpack === undefined ? { reason: 'zstd needs Node 22.15 or newer' } : unpack(stored);
}
