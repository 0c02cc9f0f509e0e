import type { Diagnostic } from '@turnwright/contracts';
import { MISSING, ROOT } from './entry.js';
import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';

/**
 * Gives every record its parent and its agent; returns what was missing.
 *
 * Every kind of record is a link of the chain: progress, system and attachment records are parents of messages, so nothing may be
 * filtered before this. A parent must stand before its child, which also rules out cycles.
 */
export function linkEntries(file: FileIndex): Diagnostic[] {
  const links: Links = { file, adopted: new Map(), lastOfAgent: new Map(), diagnostics: [] };
  for (const entry of file.entries) {
    entry.parent = parentIndex(links, entry);
    entry.agent = agentOf(file, entry);
    links.lastOfAgent.set(lane(entry), entry.index);
  }
  return links.diagnostics;
}

interface Links {
  readonly file: FileIndex;
  /** Missing uuids that a damaged record was taken for. */
  readonly adopted: Map<string, number>;
  readonly lastOfAgent: Map<string, number>;
  readonly diagnostics: Diagnostic[];
}

function parentIndex(links: Links, entry: Entry): number {
  const { file } = links;
  if (entry.kind === 'damaged' && entry.parentUuid === undefined) return entry.index - 1;
  if (entry.parentUuid === undefined) return entry.kind === 'user' || entry.kind === 'assistant' ? (links.lastOfAgent.get(lane(entry)) ?? ROOT) : ROOT;
  if (entry.parentUuid === null) return ROOT;
  const parent = file.byUuid.get(entry.parentUuid);
  if (parent !== undefined && parent.index < entry.index) return parent.index;
  const adopted = links.adopted.get(entry.parentUuid) ?? damagedBefore(file, entry, links.adopted);
  if (adopted !== undefined) {
    links.adopted.set(entry.parentUuid, adopted);
    return adopted;
  }
  if (entry.kind !== 'user' && entry.kind !== 'assistant' && entry.kind !== 'attachment') return MISSING;
  const found = parent === undefined ? 'no record has it' : 'that record stands after this one';
  links.diagnostics.push({ severity: 'warning', code: 'missing-parent', message: `Expected the parent ${entry.parentUuid} before this record, found that ${found}.`, file: file.path, line: entry.line, byteOffset: entry.byteOffset });
  return MISSING;
}

/** A record whose parent is missing and that follows a damaged one is its child: the uuid was in the lost part. */
function damagedBefore(file: FileIndex, entry: Entry, adopted: ReadonlyMap<string, number>): number | undefined {
  const taken = new Set(adopted.values());
  for (let at = entry.index - 1; at >= 0; at--) {
    const before = file.entries[at];
    if (before === undefined) return undefined;
    if (before.uuid === undefined && (before.kind === 'damaged' || before.kind === 'harmless')) return taken.has(at) ? undefined : at;
    // State records may stand between; a message means that the damaged one was not its parent.
    if (before.kind === 'user' || before.kind === 'assistant') return undefined;
  }
  return undefined;
}

/** An inline sidechain without agentId is named by its first record, as its root has no parent. */
function agentOf(file: FileIndex, entry: Entry): string {
  if (!entry.sidechain || entry.agent !== '') return entry.agent;
  const parent = file.entries[entry.parent];
  return parent !== undefined && parent.agent !== '' ? parent.agent : (entry.uuid ?? `sidechain-${entry.index}`);
}

/** Linear dialects (stream-json, agent_progress) have no parents: a record continues the previous one of its session and agent. */
function lane(entry: Entry): string {
  return `${entry.sessionId}\n${entry.sidechain ? entry.agent : ''}`;
}
