import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { sniffHead } from '../common/sniff.js';

const SUBTYPES: ReadonlySet<unknown> = new Set(['ui_telemetry', 'attribution_snapshot', 'chat_compression', 'slash_command', 'session_artifact_snapshot', 'rewind']);

/** How surely the bytes are a chat of Qwen Code: the envelope of Claude Code around messages of Gemini. */
export function detectQwenCode(head: Uint8Array): number {
  const { records, text } = sniffHead(head);
  const best = records.reduce((sum, record) => Math.max(sum, likeness(record)), 0);
  return best > 0 ? best : /^\s*\{"uuid"\s*:[^\n]*"sessionId"\s*:[^\n]*"message"\s*:\s*\{[^\n]{0,40}"parts"\s*:/.test(text) ? 0.9 : 0;
}

function likeness(record: JsonObject): number {
  if (!('sessionId' in record) || !('uuid' in record)) return 0;
  const message = record['message'];
  if (isObject(message) && Array.isArray(message['parts'])) return 1;
  return record['type'] === 'system' && (SUBTYPES.has(record['subtype']) || isObject(record['systemPayload'])) ? 0.95 : 0;
}
