import type { Entry } from './entry.js';
import type { FileIndex } from './file-index.js';

/** One response of the API: the lines that hold its blocks, in file order. */
export interface Reply {
  /** At least one. */
  readonly lines: Entry[];
  readonly agent: string;
  readonly sessionId: string;
  /** A block of it is lost. */
  damaged: boolean;
  retracted: boolean;
}

/** The replies of a file, and the reply of each assistant line. */
export interface ReplyIndex {
  readonly replies: readonly Reply[];
  readonly ofEntry: ReadonlyMap<number, Reply>;
}

/** A reply's first line, which decides its prompt. */
export function firstLine(reply: Reply): Entry {
  return reply.lines[0] as Entry;
}

/**
 * Groups assistant lines into replies.
 *
 * Lines of one reply share `message.id`, and `requestId` where the API gave one. They need not be neighbours: results of earlier blocks
 * are written between later blocks. Lines without ids belong together only when one follows the other directly.
 */
export function groupReplies(file: FileIndex): ReplyIndex {
  const replies: Reply[] = [];
  const ofEntry = new Map<number, Reply>();
  const open = new Map<string, Reply>();
  for (const entry of file.entries) {
    if (entry.kind === 'damaged') noteDamage(file, ofEntry, open, entry);
    if (entry.kind !== 'assistant') continue;
    const key = keyOf(entry);
    const earlier = key === undefined ? undefined : open.get(key);
    const reply = key === undefined ? adjacentReply(file, ofEntry, entry) : earlier !== undefined && continues(file, ofEntry, earlier, entry) ? earlier : undefined;
    const joined = reply ?? { lines: [], agent: entry.agent, sessionId: entry.sessionId, damaged: false, retracted: false };
    if (reply === undefined) replies.push(joined);
    joined.lines.push(entry);
    if (!entry.validUtf8) joined.damaged = true;
    ofEntry.set(entry.index, joined);
    if (key !== undefined) open.set(key, joined);
  }
  markRetracted(file, ofEntry);
  return { replies, ofEntry };
}

function keyOf(entry: Entry): string | undefined {
  const id = entry.messageId ?? entry.requestId;
  return id === undefined ? undefined : [entry.sessionId, entry.agent, id, entry.requestId ?? ''].join('\n');
}

/** True unless another reply stands between the line and the reply on the path: then the same id names a second reply. */
function continues(file: FileIndex, ofEntry: ReadonlyMap<number, Reply>, reply: Reply, entry: Entry): boolean {
  for (let at = entry.parent; at >= 0; at = file.entries[at]?.parent ?? -1) {
    const other = ofEntry.get(at);
    if (other !== undefined) return other === reply;
  }
  return entry.parent < -1;
}

function adjacentReply(file: FileIndex, ofEntry: ReadonlyMap<number, Reply>, entry: Entry): Reply | undefined {
  const parent = file.entries[entry.parent];
  if (parent?.kind !== 'assistant' || parent.index !== entry.index - 1 || keyOf(parent) !== undefined) return undefined;
  return ofEntry.get(parent.index);
}

/** A lost line of a reply, or one that may have been its next block, leaves the reply incomplete. */
function noteDamage(file: FileIndex, ofEntry: ReadonlyMap<number, Reply>, open: ReadonlyMap<string, Reply>, entry: Entry): void {
  const named = [...open.values()].find((reply) => entry.messageId !== undefined && firstLine(reply).messageId === entry.messageId);
  const parent = file.entries[entry.parent];
  // What follows a tool call is its result; what follows a lone text or thought without a stop reason is the reply's next block.
  const next = parent !== undefined && parent.toolUseIds.length === 0 && parent.stopReason === undefined ? ofEntry.get(parent.index) : undefined;
  const reply = named ?? next;
  if (reply !== undefined) reply.damaged = true;
}

function markRetracted(file: FileIndex, ofEntry: ReadonlyMap<number, Reply>): void {
  for (const entry of file.entries) {
    if (entry.subtype === 'compact_boundary' || entry.subtype === 'microcompact_boundary') continue;
    for (const uuid of entry.listed) {
      const reply = ofEntry.get(file.byUuid.get(uuid)?.index ?? -1);
      if (reply !== undefined) reply.retracted = true;
    }
  }
}
