import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { sniffHead } from '../common/sniff.js';

const ENVELOPES: ReadonlySet<unknown> = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted', 'world_state', 'inter_agent_communication', 'inter_agent_communication_metadata', 'token_usage_record']);
const ITEMS: ReadonlySet<unknown> = new Set(['function_call', 'function_call_output', 'local_shell_call', 'custom_tool_call', 'custom_tool_call_output', 'reasoning']);
const EXEC_EVENTS: ReadonlySet<unknown> = new Set(['thread.started', 'turn.started', 'item.started', 'item.updated', 'item.completed', 'turn.completed', 'turn.failed']);

/** How surely the bytes are a Codex rollout, in an envelope or bare, or the stream of `codex exec --json`. */
export function detectCodex(head: Uint8Array): number {
  const { records, text } = sniffHead(head);
  const best = records.reduce((sum, record) => Math.max(sum, likeness(record)), 0);
  if (best > 0) return best;
  // The first record may be longer than the head.
  return /^\s*\{[^\n]{0,200}"type"\s*:\s*"(session_meta|response_item|event_msg|turn_context)"[^\n]{0,80}"payload"\s*:/.test(text) ? 0.9 : 0;
}

function likeness(record: JsonObject): number {
  if (ENVELOPES.has(record['type']) && isObject(record['payload'])) return 1;
  if (record['record_type'] === 'state') return 0.9;
  if (EXEC_EVENTS.has(record['type']) && ('thread_id' in record || isObject(record['item']) || 'usage' in record)) return 0.8;
  if (ITEMS.has(record['type']) && ('call_id' in record || 'summary' in record || 'encrypted_content' in record)) return 0.75;
  if (record['type'] === 'message' && Array.isArray(record['content']) && typeof record['role'] === 'string') return hasInputText(record) ? 0.75 : 0;
  return typeof record['id'] === 'string' && 'instructions' in record && 'timestamp' in record ? 0.7 : 0;
}

function hasInputText(record: JsonObject): boolean {
  return (record['content'] as readonly unknown[]).some((item) => isObject(item) && (item['type'] === 'input_text' || item['type'] === 'output_text'));
}
