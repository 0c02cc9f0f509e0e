import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { count, listAt, text } from '../common/values.js';

/** From a message of the API history on, the client leaves these out: both ends included. */
export interface DeletedRange {
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** The ranges that a list of interface messages tells of, in the order in which they took effect. */
export function deletedRanges(messages: readonly unknown[]): DeletedRange[] {
  const ranges: DeletedRange[] = [];
  for (const message of messages) {
    if (!isObject(message)) continue;
    const [start, end] = listAt(message, 'conversationHistoryDeletedRange').map(count);
    const index = count(message['conversationHistoryIndex']);
    if (start === undefined || end === undefined || index === undefined) continue;
    const last = ranges.at(-1);
    if (last?.start !== start || last.end !== end) ranges.push({ from: index + 1, start, end });
  }
  return ranges;
}

/**
 * The places of the messages that the request for the reply at `index` held.
 *
 * A range takes messages out for good; a summary hides those that name it as their parent, and a truncation those that name it, both only
 * once they are there (Roo pull 9665).
 */
export function sentPlaces(messages: readonly JsonObject[], index: number, ranges: readonly DeletedRange[]): number[] {
  const range = ranges.findLast((each) => each.from <= index);
  const made = new Set<string>();
  for (const message of messages.slice(0, index)) for (const key of ['condenseId', 'truncationId']) if (text(message[key]) !== undefined) made.add(String(message[key]));
  const places: number[] = [];
  for (let place = 0; place < index; place++) {
    const message = messages[place] ?? {};
    const hidden = ['condenseParent', 'truncationParent'].some((key) => made.has(text(message[key]) ?? ''));
    const deleted = range !== undefined && place >= range.start && place <= range.end;
    if (!hidden && !deleted && message['isTruncationMarker'] !== true) places.push(place);
  }
  return places;
}
