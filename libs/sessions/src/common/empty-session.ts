import type { Diagnostic, Session } from '@turnwright/contracts';
import { baseName } from './values.js';

/** A session without calls that says why. */
export function emptySession(reader: string, path: string, diagnostics: readonly Diagnostic[]): Session {
  return { id: baseName(path), reader, files: [path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [], diagnostics };
}

/** The note of a file that is not empty and has no reply in it. */
export function noCalls(path: string, expected: string): Diagnostic {
  return { severity: 'warning', code: 'no-model-calls', message: `Expected ${expected}, found none; the file holds no reply.`, file: path, line: 0, byteOffset: 0 };
}
