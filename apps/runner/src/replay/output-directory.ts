import { access, constants, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@turnwright/contracts';

export const MANIFEST = 'manifest.json';
export const LEDGER = 'ledger.jsonl';

/**
 * Makes a run's directory ready: made if need be, and emptied of an earlier run of ours.
 *
 * A directory that holds anything else is refused, since a later reader could not tell whose files are whose.
 * throws AgentError `unwritable-output`
 */
export async function prepareOutput(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  } catch (cause) {
    throw unwritable(directory, 'a directory that can be written', cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause), cause);
  }
  const entries = await readdir(directory);
  const earlier = entries.includes(MANIFEST) ? await filesOf(directory) : [];
  const ours = new Set([...earlier, MANIFEST, LEDGER]);
  const foreign = entries.filter((name) => !ours.has(name) && !/^\..*\.partial$/.test(name));
  if (foreign.length > 0) throw unwritable(directory, 'an empty directory or an earlier run', foreign.slice(0, 3).join(', '));
  // The manifest goes first: without it the rest is not taken for a finished run.
  for (const name of [MANIFEST, ...entries]) await rm(join(directory, name), { force: true });
}

async function filesOf(directory: string): Promise<readonly string[]> {
  try {
    const manifest = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')) as { files?: unknown };
    return Array.isArray(manifest.files) ? manifest.files.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function unwritable(directory: string, expected: string, found: string, cause?: unknown): AgentError {
  return new AgentError('unwritable-output', `Output ${directory}: expected ${expected}, found ${found}.`, { fields: { directory }, cause });
}
