import { existsSync } from 'node:fs';
import type { ReadContext, Session, SessionReader, SourceFile } from '@turnwright/contracts';
import { isObject } from '../json-lines/records.js';
import { readDocument } from '../common/document.js';
import { baseName } from '../common/values.js';
import { openSourceFile } from '../source-file.js';
import { detectCline } from './detect.js';
import type { DeletedRange } from './history.js';
import { deletedRanges } from './history.js';
import { buildTask } from './task-builder.js';

/** Reads tasks of Cline and Roo. The extension notes what it left out of requests in a second file beside the first. */
export const clineReader: SessionReader = {
  name: 'cline',
  description: 'Cline and Roo tasks: <id>.messages.json, api_conversation_history.json',
  detect: (head) => detectCline(head),
  read: readCline,
};

async function* readCline(source: SourceFile, context: ReadContext): AsyncGenerator<Session> {
  const document = await readDocument(source);
  if (isInterface(document.value)) {
    const note = { severity: 'info', code: 'not-a-conversation', message: 'Expected the API history of a task, found what its user interface showed; the history stands beside it.', file: source.path, line: 0, byteOffset: 0 } as const;
    yield { id: baseName(source.path), reader: 'cline', files: [source.path], systemPrompt: { status: 'unknown' }, tools: { status: 'unknown' }, calls: [], operations: [], diagnostics: [...document.diagnostics, note] };
    return;
  }
  yield buildTask(document, { path: source.path, name: taskName(source.path), seen: context.seenReplies, ranges: await rangesBeside(source.path) });
}

function isInterface(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) && (first['type'] === 'say' || first['type'] === 'ask');
}

/** The history of every task has the same name, in a folder of its own. */
function taskName(path: string): string {
  const name = baseName(path);
  return name === 'api_conversation_history' ? (path.split(/[\\/]/).at(-2) ?? name) : name;
}

async function rangesBeside(path: string): Promise<DeletedRange[]> {
  const beside = path.replace(/api_conversation_history\.json$/, 'ui_messages.json');
  if (beside === path || !existsSync(beside)) return [];
  const { value } = await readDocument(await openSourceFile(beside));
  return Array.isArray(value) ? deletedRanges(value) : [];
}
