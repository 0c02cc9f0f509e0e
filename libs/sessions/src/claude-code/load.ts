import type { SourceFile } from '@turnwright/contracts';
import { Buffer } from 'node:buffer';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import type { RecordContent } from './content.js';
import { contentOf } from './content.js';
import type { Entry } from './entry.js';
import type { StoredRange } from './request-log.js';

const GAP_BYTES = 64 * 1024;
const READ_BYTES = 4 * 1024 * 1024;

/** Reads the records of one session and keeps what they add to the conversation; the records themselves are let go. */
export async function loadContents(file: SourceFile, entries: Iterable<Entry>): Promise<ReadonlyMap<number, RecordContent>> {
  const contents = new Map<number, RecordContent>();
  const wanted = [...entries].filter((entry) => ['user', 'assistant', 'attachment', 'system'].includes(entry.kind)).sort((a, b) => a.byteOffset - b.byteOffset);
  await eachRecord(file, wanted, (entry, record, json) => contents.set(entry.index, contentOf(entry, record, json)));
  return contents;
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
      const record: unknown = JSON.parse(json);
      if (isObject(record)) use(range, record, json);
    }
    first = last;
  }
}
