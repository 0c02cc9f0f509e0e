import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { readRecordStream } from '../common/record-stream.js';
import { baseName } from '../common/values.js';
import { detectPi } from './detect.js';
import { SessionTree } from './session-tree.js';

/** Reads sessions of pi in all three versions of its files, in one pass. */
export const piReader: SessionReader = {
  name: 'pi',
  description: 'pi session files (JSON lines), also of OpenClaw and Oh-My-Pi',
  detect: (head) => detectPi(head),
  read: readPi,
};

async function* readPi(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const tree = new SessionTree(source.path, baseName(source.path), context.seenReplies);
  for await (const found of readRecordStream(source, context.signal, (fault) => tree.draft.diagnostics.push(fault))) {
    if (found.value === undefined) tree.lost();
    else tree.add({ value: found.value, json: found.text, validUtf8: found.validUtf8, position: { file: source.path, line: found.line, byteOffset: found.byteOffset } });
  }
  yield tree.build();
}
