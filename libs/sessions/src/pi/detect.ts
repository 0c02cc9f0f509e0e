import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { sniffHead } from '../common/sniff.js';

const ENTRIES: ReadonlySet<unknown> = new Set(['model_change', 'thinking_level_change', 'branch_summary', 'custom_message', 'context_edit']);

/** How surely the bytes are a session of pi, or of the clients that share its files (OpenClaw, Oh-My-Pi). */
export function detectPi(head: Uint8Array): number {
  const { records, text } = sniffHead(head);
  const best = records.reduce((sum, record) => Math.max(sum, likeness(record)), 0);
  return best > 0 ? best : /^\s*\{"type":"message","id":"[^"]*","parentId":/.test(text) ? 0.8 : 0;
}

function likeness(record: JsonObject): number {
  const message = record['message'];
  // A converted bundle has the same header, with a `harness`, and messages without a content list of blocks.
  if (record['type'] === 'session' && 'cwd' in record && typeof record['id'] === 'string') return 0.95;
  if (ENTRIES.has(record['type']) && 'timestamp' in record) return 0.9;
  if (record['type'] === 'compaction' && 'summary' in record && ('firstKeptEntryId' in record || 'firstKeptEntryIndex' in record)) return 0.9;
  if (record['type'] !== 'message' || !isObject(message) || typeof message['role'] !== 'string') return 0;
  if (message['role'] === 'toolResult' || message['role'] === 'bashExecution' || ('api' in message && 'provider' in message)) return 0.95;
  return 'parentId' in record && 'content' in message ? 0.85 : 0;
}
