import { Buffer } from 'node:buffer';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

const SNIFFED_LINES = 64;
/** Kinds that only this harness writes, often before the first message. */
const STATE_KINDS: ReadonlySet<string> = new Set(['queue-operation', 'file-history-snapshot', 'last-prompt', 'permission-mode', 'ai-title', 'custom-title', 'agent-name', 'worktree-state', 'bridge-session', 'frame-link', 'pr-link', 'atis-latch', 'api-request', 'api-request-shape', 'api-request-blob', 'mode']);

/**
 * How surely the bytes are a Claude Code session.
 *
 * Newer files do not begin with a turn (garrytan/gbrain#4221), so several records are looked at, by their fields.
 */
export function detectClaudeCode(head: Uint8Array): number {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8').replace(/^\uFEFF/, '');
  const lines = text.split('\n').slice(0, SNIFFED_LINES);
  let best = 0;
  for (const line of lines) {
    const record = parsed(line);
    if (record !== undefined) best = Math.max(best, likeness(record));
    if (best === 1) return 1;
  }
  // The first record may be longer than the head.
  return best === 0 && /^\s*\{[^\n]*"parentUuid"\s*:[^\n]*"sessionId"\s*:/.test(lines[0] ?? '') && !(lines[0] ?? '').includes('"parts"') ? 0.7 : best;
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function likeness(record: JsonObject): number {
  const message = record['message'];
  const kind = record['type'];
  // Qwen Code shares the envelope, but its messages have `parts`.
  if (isObject(message) && (kind === 'user' || kind === 'assistant')) {
    if (message['parts'] !== undefined || message['content'] === undefined) return 0;
    if ('parentUuid' in record) return 1;
    return 'session_id' in record || 'sessionId' in record || 'uuid' in record ? 0.9 : 0.6;
  }
  if (kind === 'system' && record['subtype'] === 'init' && 'session_id' in record) return 0.9;
  if (kind === 'summary' && 'leafUuid' in record) return 0.9;
  if (typeof kind === 'string' && STATE_KINDS.has(kind) && ('sessionId' in record || 'messageId' in record)) return 0.8;
  return 'parentUuid' in record && 'uuid' in record && 'isSidechain' in record ? 0.9 : 0;
}
