import type { Diagnostic, SourceFile } from '@turnwright/contracts';
import { splitLines } from '../json-lines/lines.js';
import type { FoundRecord } from '../json-lines/records.js';
import { readRecords } from '../json-lines/records.js';

/** Records of a file of JSON lines in order, each line's faults before them; `value` is undefined for a piece of a record. */
export async function* readRecordStream(source: SourceFile, signal: AbortSignal | undefined, onFault: (fault: Diagnostic) => void): AsyncGenerator<FoundRecord> {
  for await (const line of splitLines(source.stream())) {
    signal?.throwIfAborted();
    const { records, diagnostics } = readRecords(line, source.path);
    for (const fault of diagnostics) onFault(fault);
    yield* records;
  }
}
