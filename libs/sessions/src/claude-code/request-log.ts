import type { FoundRecord, JsonObject } from '../json-lines/records.js';
import { text } from './entry.js';

/** Where a record stands, so that it can be read when a call needs it. */
export interface StoredRange {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** One request as newer files log it: the messages of `base` up to `keep`, then `tail`. */
export interface LoggedRequest {
  readonly base: string | undefined;
  readonly keep: number;
  /** Hashes of messages. */
  readonly tail: readonly string[];
  readonly shapeHash: string | undefined;
}

/** The api-request records of a file. */
export interface RequestLog {
  readonly requests: Map<string, LoggedRequest>;
  readonly blobs: Map<string, StoredRange>;
  readonly shapes: Map<string, StoredRange>;
}

/** A log without records. */
export function emptyRequestLog(): RequestLog {
  return { requests: new Map(), blobs: new Map(), shapes: new Map() };
}

/**
 * Takes an api-request, api-request-blob or api-request-shape record; false for any other.
 *
 * source  Claude Code 2.1.332; 91 of 93 logged requests were hash-equal to the wire.
 */
export function noteRequest(log: RequestLog, record: JsonObject, found: FoundRecord): boolean {
  const range = { byteOffset: found.byteOffset, byteLength: found.byteLength };
  switch (record['type']) {
    case 'api-request': {
      const id = text(record['id']);
      const tail = Array.isArray(record['tail']) ? record['tail'].filter((hash): hash is string => typeof hash === 'string') : [];
      if (id !== undefined) log.requests.set(id, { base: text(record['base']), keep: typeof record['keep'] === 'number' ? record['keep'] : 0, tail, shapeHash: text(record['shapeHash']) });
      return true;
    }
    case 'api-request-blob':
      keepFirst(log.blobs, text(record['hash']), range);
      return true;
    case 'api-request-shape':
      keepFirst(log.shapes, text(record['shapeHash']), range);
      return true;
    default:
      return false;
  }
}

function keepFirst(map: Map<string, StoredRange>, key: string | undefined, range: StoredRange): void {
  if (key !== undefined && !map.has(key)) map.set(key, range);
}
