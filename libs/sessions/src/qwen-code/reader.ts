import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { readRecordStream } from '../common/record-stream.js';
import { baseName } from '../common/values.js';
import { ChatTree, isOnlyTelemetry, isQwenRecord } from './chat-tree.js';
import { detectQwenCode } from './detect.js';

/** Reads chats of Qwen Code and of its agents, in one pass. */
export const qwenCodeReader: SessionReader = {
  name: 'qwen-code',
  description: 'Qwen Code chats (JSON lines), and those of its agents',
  detect: (head) => detectQwenCode(head),
  read: readQwenCode,
};

async function* readQwenCode(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const tree = new ChatTree(source.path, baseName(source.path), context.seenReplies);
  for await (const found of readRecordStream(source, context.signal, (fault) => tree.draft.diagnostics.push(fault))) {
    if (found.value === undefined) {
      if (!isOnlyTelemetry(found.text)) tree.lost();
    } else if (isQwenRecord(found.value)) tree.add({ value: found.value, json: found.text, validUtf8: found.validUtf8, position: { file: source.path, line: found.line, byteOffset: found.byteOffset } });
  }
  yield tree.build();
}
