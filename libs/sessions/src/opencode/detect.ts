import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';
import { isSqlite } from '../sqlite/database.js';

/** How surely the bytes are OpenCode's: its database, an export, a file of its older storage, or the stream of a run. */
export function detectOpenCode(head: Uint8Array): number {
  const { members, records, text } = sniffHead(head);
  // The schema may stand in the log beside the file only: then the tables decide.
  if (isSqlite(head)) return /CREATE TABLE [`"]?part[`"]?/.test(text) && /CREATE TABLE [`"]?message[`"]?/.test(text) ? 0.95 : 0.3;
  const listed = firstItemOf(members.get('messages'));
  if (members.has('info') && (listed === undefined ? /^\[/.test(members.get('messages') ?? '') : 'info' in listed && 'parts' in listed)) return 0.95;
  if (members.has('projectID') && members.has('directory') && members.has('id')) return 0.9;
  if (members.has('id') && isStoredPiece(members)) return 0.85;
  return records.reduce((best, record) => Math.max(best, likeness(record)), 0);
}

/** A message or a part, which the older storage keeps in a file each. */
function isStoredPiece(members: ReadonlyMap<string, string>): boolean {
  if (members.has('sessionID') && members.has('role') && members.has('time')) return true;
  if (members.has('messageID') && members.has('type')) return true;
  return members.has('type') && members.has('text') && members.has('time') && !members.has('timestamp') && !members.has('content');
}

function likeness(record: JsonObject): number {
  const part = record['part'];
  return 'sessionID' in record && isObject(part) && 'messageID' in part ? 0.95 : 0;
}
