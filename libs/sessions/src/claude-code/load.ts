import type { SourceFile } from '@turnwright/contracts';
import { Buffer } from 'node:buffer';
import type { JsonObject } from '../json-lines/records.js';
import { parseRecord } from '../json-lines/records.js';
import type { RecordContent } from './content.js';
import { contentOf } from './content.js';
import type { Entry } from './entry.js';
import { DISPLAY_DATA } from './entry.js';
import type { StoredRange } from './request-log.js';

const GAP_BYTES = 64 * 1024;
const READ_BYTES = 4 * 1024 * 1024;
/** Enough for most files, so that their records are parsed once; the rest is read again by byte range. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** What the records of a file add to its conversations: kept from the first pass while there is room, else loaded when wanted. */
export class Contents {
  private readonly kept = new Map<number, RecordContent>();
  private room: number;

  constructor(private readonly source: SourceFile, keptBytes = KEPT_BYTES) {
    this.room = keptBytes;
  }

  /** Called once for each record of the first pass. */
  offer(entry: Entry, record: JsonObject, json: string): void {
    if (this.room <= 0 || !SPEAKING.has(entry.kind)) return;
    const content = contentOf(entry, record, json);
    this.room -= sizeOf(content);
    this.kept.set(entry.index, content);
  }

  /** Of one session. */
  async of(entries: Iterable<Entry>): Promise<ReadonlyMap<number, RecordContent>> {
    const contents = new Map<number, RecordContent>();
    const wanted: Entry[] = [];
    for (const entry of entries) {
      const kept = this.kept.get(entry.index);
      if (kept !== undefined) contents.set(entry.index, kept);
      else if (SPEAKING.has(entry.kind)) wanted.push(entry);
    }
    wanted.sort((a, b) => a.byteOffset - b.byteOffset);
    await eachRecord(this.source, wanted, (entry, record, json) => contents.set(entry.index, contentOf(entry, record, json)));
    return contents;
  }

  /** Lets go of a session that was read. */
  release(entries: Iterable<Entry>): void {
    for (const entry of entries) this.kept.delete(entry.index);
  }
}

const SPEAKING: ReadonlySet<string> = new Set(['user', 'assistant', 'attachment', 'system']);

function sizeOf(content: RecordContent): number {
  const parts = [...content.parts, ...content.messages.flatMap((message) => message.parts)];
  return 200 + parts.reduce((size, part) => size + 100 + 2 * ('text' in part ? part.text.length : part.kind === 'tool-call' ? part.arguments.length : 0), 0);
}

/** Reads records in file order, many with one read; `ranges` must be sorted by offset. */
export async function eachRecord<Range extends StoredRange>(file: SourceFile, ranges: readonly Range[], use: (range: Range, record: JsonObject, json: string) => void): Promise<void> {
  for (let first = 0; first < ranges.length; ) {
    const start = ranges[first]?.byteOffset ?? 0;
    let end = start;
    let last = first;
    for (; last < ranges.length; last++) {
      const next = ranges[last] as Range;
      const nextEnd = next.byteOffset + next.byteLength;
      if (last > first && (next.byteOffset > end + GAP_BYTES || nextEnd - start > READ_BYTES)) break;
      end = Math.max(end, nextEnd);
    }
    const bytes = Buffer.from(await file.slice(start, end));
    for (const range of ranges.slice(first, last)) {
      const json = bytes.toString('utf8', range.byteOffset - start, range.byteOffset - start + range.byteLength);
      const record = parseRecord(json, DISPLAY_DATA);
      if (record !== undefined) use(range, record, json);
    }
    first = last;
  }
}
