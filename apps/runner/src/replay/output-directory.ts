import { existsSync } from 'node:fs';
import { access, constants, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AgentError } from '@turnwright/contracts';

export const MANIFEST = 'manifest.json';
export const LEDGER = 'ledger.jsonl';

const SAMPLES = /^samples-\d{5,}\.[a-z0-9]+$/;

/**
 * Makes a run's directory ready: made if need be, and emptied of an earlier run of ours, finished or not.
 *
 * A directory that holds anything else is refused, since a later reader could not tell whose files are whose.
 * The manifest's hidden name stands there from the beginning to the end of a run, so that what a killed run leaves is known as ours.
 * throws AgentError `unwritable-output`
 */
export async function prepareOutput(directory: string): Promise<void> {
  await writing(directory, async () => {
    await makeDirectory(resolve(directory));
    await access(directory, constants.W_OK);
    const entries = await readdir(directory);
    const ours = await ownNames(directory, entries);
    const foreign = entries.filter((name) => !ours(name));
    if (foreign.length > 0) throw unwritable(directory, 'an empty directory or an earlier run', foreign.slice(0, 3).join(', '));
    await writeFile(join(directory, hidden(MANIFEST)), '');
    // The manifest goes first: without it the rest is not taken for a finished run.
    for (const name of [MANIFEST, ...entries.filter((entry) => entry !== hidden(MANIFEST))]) await rm(join(directory, name), { force: true });
  });
}

/** Removes what a run that failed has written; `prepareOutput` saw to it that nothing else has these names. */
export async function abandonOutput(directory: string): Promise<void> {
  const written = (await readdir(directory)).filter((name) => name === LEDGER || SAMPLES.test(name));
  // Its mark goes last: until then the rest is known as ours.
  for (const name of [...written, hidden(MANIFEST)]) await rm(join(directory, name), { force: true });
}

/** The name of a file that is not finished. */
export function hidden(name: string): string {
  return `.${name}.partial`;
}

/** A failure of the file system as `unwritable-output`, with the path. */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AgentError) throw cause;
    throw unwritable(path, 'a place that can be written', cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause), cause);
  }
}

/** Not `recursive`: Node 20 then tries for ever where a parent exists and takes no directories, as in /proc. */
async function makeDirectory(directory: string): Promise<void> {
  const missing: string[] = [];
  for (let path = directory; !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) await mkdir(path);
}

async function ownNames(directory: string, entries: readonly string[]): Promise<(name: string) => boolean> {
  for (const name of entries) if (!(await lstat(join(directory, name))).isFile()) return (other) => other !== name;
  const unfinished = entries.includes(hidden(MANIFEST));
  const finished = entries.includes(MANIFEST) ? await filesOf(directory) : undefined;
  if (!unfinished && finished === undefined) return () => false;
  const named = new Set([...(finished ?? []), MANIFEST, LEDGER]);
  return (name) => named.has(name) || (unfinished && SAMPLES.test(name)) || (name.startsWith('.') && name.endsWith('.partial'));
}

/** The files that our manifest names; undefined when it is somebody else's. */
async function filesOf(directory: string): Promise<readonly string[] | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')) as { turnwright?: unknown; files?: unknown };
    return typeof manifest.turnwright === 'string' && Array.isArray(manifest.files) ? manifest.files.filter((name): name is string => typeof name === 'string') : undefined;
  } catch {
    return undefined;
  }
}

function unwritable(directory: string, expected: string, found: string, cause?: unknown): AgentError {
  return new AgentError('unwritable-output', `Output ${directory}: expected ${expected}, found ${found}.`, { fields: { directory }, cause });
}
