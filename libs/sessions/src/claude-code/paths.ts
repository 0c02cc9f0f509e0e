import type { Entry } from './entry.js';
import { MISSING } from './entry.js';
import type { FileIndex } from './file-index.js';
import type { Reply, ReplyIndex } from './replies.js';
import { firstLine } from './replies.js';

/** What a reply's prompt starts from, and the records that stand between that and the reply, in file order. */
export interface PathToReply {
  readonly base: { readonly kind: 'root' } | { readonly kind: 'missing' } | { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'compaction'; readonly boundary: Entry };
  readonly between: readonly Entry[];
}

/** Where the results of tool calls stand: `session, agent, tool call id` to records. */
export type ResultIndex = ReadonlyMap<string, readonly Entry[]>;

/** Results by the call that they answer. */
export function indexResults(entries: readonly Entry[]): ResultIndex {
  const results = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const id of entry.toolResultIds) {
      const key = resultKey(entry, id);
      const known = results.get(key);
      if (known === undefined) results.set(key, [entry]);
      else known.push(entry);
    }
  }
  return results;
}

/** The records that answer a reply's tool calls. */
export function resultsOf(results: ResultIndex, reply: Reply): Entry[] {
  return reply.lines.flatMap((line) => line.toolUseIds.flatMap((id) => results.get(resultKey(line, id)) ?? []));
}

function resultKey(entry: Entry, toolCallId: string): string {
  return `${entry.sessionId}\n${entry.agent}\n${toolCallId}`;
}

/**
 * Walks from a reply back to the reply before it.
 *
 * Block k + 1 of a reply and the result of block k are both children of block k, so a plain walk from leaf to root loses results:
 * the results of the reply before are taken from the whole file, as far as they stand before this reply.
 *
 *   a1(call 1) ← a2(call 2) ← u2(result 2) ← a3          u1(result 1), a child of a1, is in the prompt of a3
 */
export function pathTo(file: FileIndex, index: ReplyIndex, results: ResultIndex, reply: Reply): PathToReply {
  const first = firstLine(reply);
  const between: Entry[] = [];
  let before: Reply | undefined;
  let at = first.parent;
  for (; at >= 0; at = file.entries[at]?.parent ?? MISSING) {
    const entry = file.entries[at];
    if (entry === undefined) break;
    // An agent starts with an empty prompt, even where its first record hangs on the call that started it.
    if (entry.agent !== reply.agent && reply.agent !== '') return { base: { kind: 'root' }, between: between.reverse() };
    if (entry.agent !== reply.agent) continue;
    if (entry.subtype === 'compact_boundary' && before === undefined) return { base: { kind: 'compaction', boundary: entry }, between: between.reverse() };
    const owner = index.ofEntry.get(entry.index);
    if (owner === undefined) between.push(entry);
    else if (owner !== reply && before === undefined) before = owner;
    else if (owner !== reply && owner !== before) break;
    if (before !== undefined && entry === firstLine(before)) break;
  }
  if (before === undefined) return { base: { kind: at === MISSING ? 'missing' : 'root' }, between: between.reverse() };
  return { base: { kind: 'reply', reply: before }, between: withSideResults(between, resultsOf(results, before), first) };
}

function withSideResults(onPath: readonly Entry[], results: readonly Entry[], first: Entry): Entry[] {
  const answered = new Set(onPath.flatMap((entry) => entry.toolResultIds));
  const side = results.filter((entry) => entry.index < first.index && !onPath.includes(entry) && entry.toolResultIds.some((id) => !answered.has(id)));
  return [...new Set([...onPath, ...side])].sort((a, b) => a.index - b.index);
}
