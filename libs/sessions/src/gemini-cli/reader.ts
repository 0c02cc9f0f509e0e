import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import type { JsonDocument } from '../common/document.js';
import { rawItems, readDocument } from '../common/document.js';
import { opensOneDocument } from '../common/one-document.js';
import { readRecordStream } from '../common/record-stream.js';
import { baseName, listAt } from '../common/values.js';
import { isObject } from '../json-lines/records.js';
import { ChatLog } from './chat-log.js';
import { detectGeminiCli } from './detect.js';

/** Reads chats of Gemini CLI: the document of older versions, the patch log of newer ones, and checkpoints. */
export const geminiCliReader: SessionReader = {
  name: 'gemini-cli',
  description: 'Gemini CLI chats: session documents, session logs (JSON lines) and checkpoints',
  detect: (head) => detectGeminiCli(head),
  read: readGeminiCli,
};

async function* readGeminiCli(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const log = new ChatLog(source.path, baseName(source.path), context.seenReplies);
  if (await opensOneDocument(source)) addDocument(log, await readDocument(source));
  else {
    for await (const found of readRecordStream(source, context.signal, (fault) => log.draft.diagnostics.push(fault))) {
      if (found.value === undefined) log.lost();
      else log.add(found.value, found.text, found.validUtf8, { file: source.path, line: found.line, byteOffset: found.byteOffset });
    }
  }
  yield log.build();
}

function addDocument(log: ChatLog, document: JsonDocument): void {
  log.draft.diagnostics.push(...document.diagnostics);
  const { value, json } = document;
  if (isObject(value)) log.header(value);
  const path = isObject(value) ? ['messages'] : [];
  const items = isObject(value) ? listAt(value, 'messages') : Array.isArray(value) ? (value as readonly unknown[]) : [];
  for (const [index, raw] of rawItems(json, path).entries()) {
    const item = items[index];
    if (isObject(item)) log.message({ value: item, json: raw.json, validUtf8: document.validUtf8, position: document.positionOf(raw.start) });
  }
}
