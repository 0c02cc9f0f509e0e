import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';

/** How surely the bytes are a chat of Gemini CLI: the document, the patch log, or a checkpoint. */
export function detectGeminiCli(head: Uint8Array): number {
  const { records, members, firstItem } = sniffHead(head);
  if (members.has('sessionId') && members.has('projectHash')) return 1;
  const listed = firstItemOf(members.get('messages'));
  if (members.has('sessionId') && listed !== undefined && isChatMessage(listed)) return 0.9;
  if (firstItem !== undefined && 'parts' in firstItem && 'role' in firstItem) return 0.9;
  return records.reduce((best, record) => Math.max(best, likeness(record)), 0);
}

function likeness(record: JsonObject): number {
  if ('$rewindTo' in record || (isObject(record['$set']) && Object.keys(record).length === 1)) return 0.9;
  if ('sessionId' in record && 'projectHash' in record) return 1;
  return record['type'] === 'gemini' && 'id' in record && ('content' in record || 'toolCalls' in record) ? 0.9 : 0;
}

function isChatMessage(item: JsonObject): boolean {
  return 'type' in item && 'content' in item && !('role' in item) && 'timestamp' in item;
}
