import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { ResultIndex } from './paths.js';
import { resultsOf } from './paths.js';
import { preservedEntries } from './preserved.js';
import type { ReplyIndex } from './replies.js';

/** The records of a session and those of other sessions that its prompts reach back to. */
export function neededEntries(file: FileIndex, replies: ReplyIndex, results: ResultIndex, own: readonly Entry[]): Set<Entry> {
  const needed = new Set<Entry>(own);
  const open = [...own];
  const add = (entry: Entry | undefined): void => {
    if (entry === undefined || needed.has(entry)) return;
    needed.add(entry);
    open.push(entry);
  };
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    add(file.entries[entry.parent]);
    if (entry.subtype === 'compact_boundary') preservedEntries(file, entry).entries.forEach(add);
    const reply = replies.ofEntry.get(entry.index);
    if (reply !== undefined && reply.sessionId !== own[0]?.sessionId) [...reply.lines, ...resultsOf(results, reply)].forEach(add);
  }
  return needed;
}
