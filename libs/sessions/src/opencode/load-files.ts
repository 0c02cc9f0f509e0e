import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import type { FoundRecord } from '../json-lines/records.js';
import type { JsonDocument } from '../common/document.js';
import { rawItems, readDocument } from '../common/document.js';
import { listAt, objectAt, text } from '../common/values.js';
import { openSourceFile } from '../source-file.js';
import type { StoredMessage, StoredPart, StoredSession } from './stored-session.js';

/** The session of an export. */
export function sessionOfExport(document: JsonDocument, name: string): StoredSession {
  const root = isObject(document.value) ? document.value : {};
  const info = objectAt(root, 'info');
  const items = listAt(root, 'messages');
  const messages = rawItems(document.json, ['messages']).flatMap((raw, index): StoredMessage[] => {
    const item = items[index];
    if (!isObject(item)) return [];
    const position = document.positionOf(raw.start);
    const values = listAt(item, 'parts');
    const parts = rawItems(raw.json, ['parts']).flatMap((part, place): StoredPart[] => {
      const value = values[place];
      return isObject(value) ? [{ value, json: part.json, validUtf8: document.validUtf8, position }] : [];
    });
    const message = objectAt(item, 'info');
    return [{ id: text(message['id']) ?? `message-${index}`, info: message, parts, position }];
  });
  return { id: text(info['id']) ?? name, parentId: text(info['parentID']), messages };
}

/**
 * The session of a file of the older storage, whose messages and parts stand in folders beside it:
 * `session/PROJECT/ID.json`, `message/ID/*.json`, `part/MESSAGE/*.json`.
 */
export async function sessionOfStorage(document: JsonDocument, path: string, onFault: (fault: Diagnostic) => void): Promise<StoredSession | undefined> {
  const info = isObject(document.value) ? document.value : {};
  const id = text(info['id']);
  const storage = dirname(dirname(dirname(path)));
  if (id === undefined || !existsSync(join(storage, 'message', id))) return undefined;
  const messages: StoredMessage[] = [];
  for (const found of await pieces(join(storage, 'message', id), onFault)) {
    const messageId = text(found.value['id']);
    if (messageId === undefined) continue;
    messages.push({ id: messageId, info: found.value, parts: await pieces(join(storage, 'part', messageId), onFault), position: found.position });
  }
  return { id, parentId: text(info['parentID']), messages };
}

async function pieces(directory: string, onFault: (fault: Diagnostic) => void): Promise<StoredPart[]> {
  if (!existsSync(directory)) return [];
  const found: StoredPart[] = [];
  for (const name of (await readdir(directory)).sort()) {
    if (!name.endsWith('.json')) continue;
    const document = await readDocument(await openSourceFile(join(directory, name)));
    for (const fault of document.diagnostics) onFault(fault);
    if (isObject(document.value) && document.brokenAt === undefined) found.push({ value: document.value, json: document.json, validUtf8: document.validUtf8, position: document.positionOf(0) });
  }
  return found;
}

/** The replies of a run's stream, which does not hold what the user said. */
export class RunStream {
  private readonly messages = new Map<string, StoredPart[]>();
  private id: string | undefined;

  add(found: FoundRecord, file: string): void {
    const { value } = found;
    const part = value === undefined ? undefined : value['part'];
    if (value === undefined || !isObject(part)) return;
    this.id ??= text(value['sessionID']);
    const messageId = text(part['messageID']) ?? '';
    const json = JSON.stringify(part);
    const stored: StoredPart = { value: part, json, validUtf8: found.validUtf8, position: { file, line: found.line, byteOffset: found.byteOffset } };
    this.messages.set(messageId, [...(this.messages.get(messageId) ?? []), stored]);
  }

  session(name: string, file: string): StoredSession {
    const messages = [...this.messages].map(([id, parts]): StoredMessage => ({ id, info: { role: 'assistant' }, parts, position: parts[0]?.position ?? { file, line: 0, byteOffset: 0 } }));
    return { id: this.id ?? name, parentId: undefined, messages, repliesOnly: true };
  }
}
