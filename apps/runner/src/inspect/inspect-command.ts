import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentError, trainingSampleSchema, type SourceFile, type TrainingSampleRow } from '@turnwright/contracts';
import { detectReader, openSourceFile } from '@turnwright/sessions';
import type { Application } from '../composition/application.js';
import type { CommandOutput } from '../cli/output.js';
import { findTokenizer } from '../replay/find-model.js';
import { MANIFEST } from '../replay/output-directory.js';
import { paintSample } from './paint-sample.js';
import { pageOf, sessionPage } from './session-page.js';
import { showSession } from './show-session.js';

export interface InspectOptions {
  readonly sample: string;
  readonly tokenizer?: string;
  readonly color: boolean;
  /** Where a page of the session goes. */
  readonly html?: string;
}

const HEAD_BYTES = 1 << 16;

/** `turnwright inspect FILE`: a sample as text coloured by its loss mask, or a session as its calls. */
export async function inspectCommand(application: Application, file: string, options: InspectOptions, output: CommandOutput): Promise<void> {
  const { source, head } = await openSource(file);
  if (looksLikeSamples(head)) {
    if (options.html !== undefined) throw new AgentError('bad-option', `Option --html: expected a session, found samples in ${file}.`, { fields: { file } });
    const row = await findRow(source.stream(), file, options.sample);
    const tokenizer = await findTokenizer(application, options.tokenizer ?? await recordedTokenizer(file));
    for (const line of paintSample(row, tokenizer, { color: options.color && output.isTerminal })) output.line(line);
    return;
  }
  const reader = detectReader(application.readers.values, head, file);
  if (reader === undefined) throw new AgentError('unknown-session-format', `File ${file}: expected samples of a run or a session of ${application.readers.names.join(', ')}; found neither. (Of Parquet runs, inspect the JSON lines: replay with --format jsonl.)`, { fields: { file } });
  const pages: string[] = [];
  for await (const session of reader.read(source, { seenReplies: new Set() })) {
    if (options.html !== undefined) pages.push(sessionPage(session));
    else for (const line of showSession(session)) output.line(line);
  }
  if (options.html !== undefined) await writePage(options.html, pageOf(basename(file), pages), output);
}

async function writePage(path: string, page: string, output: CommandOutput): Promise<void> {
  try {
    await writeFile(path, page);
  } catch (cause) {
    throw new AgentError('unwritable-output', `Page ${path}: expected a place that can be written, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { path }, cause });
  }
  output.line(`page ${path}`);
}

async function openSource(file: string): Promise<{ readonly source: SourceFile; readonly head: Uint8Array }> {
  try {
    const source = await openSourceFile(file);
    return { source, head: await source.slice(0, Math.min(HEAD_BYTES, source.sizeBytes)) };
  } catch (cause) {
    throw new AgentError('missing-input', `File ${file}: expected a readable file, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { file }, cause });
  }
}

function looksLikeSamples(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 4096));
  return text.startsWith('{"id":') && text.includes('"rollout_id"');
}

/** The row with the id, or of the ordinal, read line by line. */
async function findRow(bytes: AsyncIterable<Uint8Array>, file: string, wanted: string): Promise<TrainingSampleRow> {
  const decoder = new TextDecoder();
  let rest = '';
  let index = 0;
  const matches = (line: string): boolean => line.startsWith(`{"id":${JSON.stringify(wanted)},`) || (/^\d+$/.test(wanted) && index === Number(wanted));
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (matches(line)) return parseRow(line, file, index);
      index++;
    }
  }
  if (rest !== '' && matches(rest)) return parseRow(rest, file, index);
  throw new AgentError('bad-option', `Samples ${file}: expected a sample "${wanted}" (an id, or an ordinal from 0), found ${String(index)} samples without it.`, { fields: { file, wanted } });
}

function parseRow(line: string, file: string, index: number): TrainingSampleRow {
  const parsed = trainingSampleSchema.safeParse(parseJson(line));
  if (!parsed.success) throw new AgentError('bad-contract', `Samples ${file}, line ${String(index + 1)}: ${parsed.error.issues[0]?.path.join('.') || 'the line'}: ${parsed.error.issues[0]?.message ?? 'wrong shape'}.`, { fields: { file, index } });
  return parsed.data;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function recordedTokenizer(file: string): Promise<string> {
  try {
    const manifest = JSON.parse(await readFile(join(dirname(file), MANIFEST), 'utf8')) as { tokenizer?: { name?: unknown } };
    if (typeof manifest.tokenizer?.name === 'string') return manifest.tokenizer.name;
  } catch {
    // Without a manifest the user has to say.
  }
  throw new AgentError('bad-option', `Samples ${file}: no ${MANIFEST} beside it names the tokenizer; say --tokenizer NAME.`, { fields: { file } });
}
