import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { readRecordStream } from '../common/record-stream.js';
import { baseName } from '../common/values.js';
import { detectCodex } from './detect.js';
import { mayHoldContext, rolloutRecord } from './records.js';
import { RolloutBuilder } from './rollout-builder.js';

/** Reads rollouts of OpenAI Codex, in one pass: `~/.codex/sessions`, old and new generations, and the stream of `codex exec --json`. */
export const codexReader: SessionReader = {
  name: 'codex',
  description: 'OpenAI Codex rollouts (JSON lines), bare and in envelopes, and codex exec --json',
  detect: (head) => detectCodex(head),
  read: readCodex,
};

async function* readCodex(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const builder = new RolloutBuilder(source.path, baseName(source.path), context.seenReplies);
  let lastIsCut = false;
  for await (const found of readRecordStream(source, context.signal, (fault) => {
    builder.fault(fault);
    lastIsCut = fault.code === 'truncated-tail';
  })) {
    const record = rolloutRecord(found, source.path);
    if (record !== undefined) builder.add(record);
    // A first line holds the session's own data only, and nothing depends on a last one.
    else if (found.value === undefined && found.line > 0 && !lastIsCut && mayHoldContext(found.text)) builder.lost();
  }
  yield builder.build();
}
