import { createHash } from 'node:crypto';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/**
 * The hash under which Claude Code logs a message: SHA-256 of its JSON with sorted keys, without `cache_control`, a text as one block.
 *
 * source  Claude Code 2.1.332, checked against the bytes on the wire
 */
export function messageHash(message: JsonObject): string {
  const content = message['content'];
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return createHash('sha256').update(JSON.stringify(sorted({ ...message, content: blocks }))).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).filter((key) => key !== 'cache_control').sort().map((key) => [key, sorted(value[key])]));
}
