import type { SourcePosition } from '@turnwright/contracts';
import type { FoundRecord, JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { text } from '../common/values.js';

/** A record in the words of the newest generation, whichever wrote it. */
export interface RolloutRecord {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly json: string;
  /** Path to the payload in `json`. */
  readonly path: readonly (string | number)[];
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

/** The record behind a line; undefined for a piece of one and for filler. */
export function rolloutRecord(found: FoundRecord, file: string): RolloutRecord | undefined {
  const { value } = found;
  if (value === undefined) return undefined;
  const base = { json: found.text, validUtf8: found.validUtf8, position: { file, line: found.line, byteOffset: found.byteOffset } };
  const kind = text(value['type']);
  if (isObject(value['payload']) && kind !== undefined) return { ...base, kind, payload: value['payload'], path: ['payload'] };
  if (value['record_type'] !== undefined) return undefined;
  // The stream of `exec --json` has items of its own shape, in the words of the user interface.
  if (kind?.includes('.') === true) return { ...base, kind: 'exec_event', payload: value, path: [] };
  if (kind === undefined) return text(value['id']) === undefined ? undefined : { ...base, kind: 'session_meta', payload: value, path: [] };
  // Before the envelope, items stood bare.
  return { ...base, kind: 'response_item', payload: value, path: [] };
}

const NO_CONTEXT = /"(?:event_msg|turn_context|world_state|token_usage_record|session_meta|ghost_snapshot|inter_agent_communication_metadata)"/;

/** True when a piece of a record may have held something that the model saw or wrote. */
export function mayHoldContext(piece: string): boolean {
  return !NO_CONTEXT.test(piece.slice(0, 300));
}
