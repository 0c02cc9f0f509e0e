import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';

/** The records that a compaction kept verbatim, in order; `missing` when the file lacks some. */
export function preservedEntries(file: FileIndex, boundary: Entry): { readonly entries: readonly Entry[]; readonly missing: boolean } {
  if (boundary.listed[0] === 'segment') return segment(file, boundary.listed[1] ?? '', boundary.listed[2] ?? '');
  const found = boundary.listed.map((uuid) => file.byUuid.get(uuid));
  const entries = found.filter((entry) => entry !== undefined);
  return { entries: [...entries].sort((a, b) => a.index - b.index), missing: entries.length < found.length };
}

function segment(file: FileIndex, headUuid: string, tailUuid: string): { entries: Entry[]; missing: boolean } {
  const head = file.byUuid.get(headUuid);
  const entries: Entry[] = [];
  for (let entry = file.byUuid.get(tailUuid); entry !== undefined; entry = file.entries[entry.parent]) {
    entries.push(entry);
    if (entry === head) return { entries: entries.reverse(), missing: false };
  }
  return { entries: [], missing: true };
}
