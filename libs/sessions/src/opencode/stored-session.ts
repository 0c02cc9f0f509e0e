import type { SourcePosition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';

/** A part of a message with its text. */
export interface StoredPart {
  readonly value: JsonObject;
  readonly json: string;
  readonly validUtf8: boolean;
  readonly position: SourcePosition;
}

export interface StoredMessage {
  readonly id: string;
  readonly info: JsonObject;
  readonly parts: readonly StoredPart[];
  readonly position: SourcePosition;
}

/** A session, from whichever generation of the storage. */
export interface StoredSession {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly messages: readonly StoredMessage[];
  /** What the user said was not recorded. */
  readonly repliesOnly?: boolean;
}
