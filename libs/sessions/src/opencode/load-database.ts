import { Buffer } from 'node:buffer';
import type { Diagnostic } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import type { SqliteDatabase, SqliteRow } from '../sqlite/database.js';
import type { StoredMessage, StoredPart, StoredSession } from './stored-session.js';

/** The sessions of a database, parents before the agents that they started. Only the tables of conversations are read: others hold credentials. */
export async function sessionsOfDatabase(database: SqliteDatabase, file: string, onFault: (fault: Diagnostic) => void): Promise<StoredSession[]> {
  const parts = new Map<string, StoredPart[]>();
  for await (const row of database.rows('part')) {
    const part = partOf(row, file, onFault);
    const messageId = row.values['message_id'];
    if (part !== undefined && typeof messageId === 'string') push(parts, messageId, part);
  }
  const messages = new Map<string, StoredMessage[]>();
  for await (const row of database.rows('message')) {
    const part = partOf(row, file, onFault);
    const { id, session_id: sessionId } = row.values;
    if (part === undefined || typeof id !== 'string' || typeof sessionId !== 'string') continue;
    push(messages, sessionId, { id, info: part.value, parts: byId(parts.get(id) ?? []), position: part.position });
  }
  const sessions: { readonly session: StoredSession; readonly created: number }[] = [];
  for await (const { values } of database.rows('session')) {
    const { id, parent_id: parentId, time_created: created } = values;
    if (typeof id !== 'string') continue;
    sessions.push({ session: { id, parentId: typeof parentId === 'string' ? parentId : undefined, messages: byId(messages.get(id) ?? []) }, created: typeof created === 'number' ? created : 0 });
    messages.delete(id);
  }
  // Messages whose session is gone are kept: their replies were sampled.
  for (const [id, orphans] of messages) sessions.push({ session: { id, parentId: undefined, messages: byId(orphans) }, created: Number.MAX_SAFE_INTEGER });
  return sessions.sort((a, b) => a.created - b.created).map(({ session }) => session);
}

function partOf({ values, byteOffset }: SqliteRow, file: string, onFault: (fault: Diagnostic) => void): StoredPart | undefined {
  const { id, data } = values;
  const position = { file, line: 0, byteOffset };
  const json = typeof data === 'string' ? data : Buffer.isBuffer(data) ? data.toString('utf8') : undefined;
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return { value: typeof id === 'string' ? { id, ...value } : value, json, validUtf8: !json.includes('\uFFFD'), position };
  } catch {
    onFault({ severity: 'warning', code: 'bad-row', message: `Expected JSON in the row ${String(id)}, found something else; it was skipped.`, ...position });
  }
  return undefined;
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Ids rise with time. */
function byId<T extends StoredMessage | StoredPart>(items: readonly T[]): T[] {
  const idOf = (item: T): string => ('id' in item ? item.id : String(item.value['id'] ?? ''));
  return [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0));
}
