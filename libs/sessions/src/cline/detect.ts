import type { JsonObject } from '../json-lines/records.js';
import { firstItemOf, sniffHead } from '../common/sniff.js';

/** How surely the bytes are a task of Cline or Roo: the messages of the newer client, or the API history of the extension. */
export function detectCline(head: Uint8Array): number {
  const { members, firstItem } = sniffHead(head);
  const listed = firstItemOf(members.get('messages'));
  if (listed !== undefined && members.has('sessionId') && (members.has('agent') || members.has('system_prompt')) && 'role' in listed) return 0.95;
  if (firstItem !== undefined && 'role' in firstItem && 'content' in firstItem && (isStamped(firstItem) || 'condenseId' in firstItem)) return 0.8;
  return firstItem !== undefined && (firstItem['type'] === 'say' || firstItem['type'] === 'ask') && 'ts' in firstItem ? 0.8 : 0;
}

function isStamped(item: JsonObject): boolean {
  return 'ts' in item || (typeof item['content'] === 'string' ? /^"?\[?<task>/.test(item['content']) : false);
}
