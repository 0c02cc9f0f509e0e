import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { AgentError } from '@turnwright/contracts';

export interface InputFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** The user named this file; one found in a directory may be something else without it being an error. */
  readonly named: boolean;
}

/**
 * Files behind the given paths, directories walked, in a fixed order, each once.
 *
 * What lies in the output directory is no input, so that a run can be repeated whose output lies among its inputs.
 * throws AgentError `missing-input`, `conflicting-options` for a path that the run would empty
 */
export async function discoverInputs(paths: readonly string[], outputDirectory: string): Promise<readonly InputFile[]> {
  const found: InputFile[] = [];
  for (const path of paths) {
    const info = await statOf(path);
    if (resolve(path) === resolve(outputDirectory) || isWithin(path, outputDirectory)) throw new AgentError('conflicting-options', `Options contradict each other: the input ${path} lies in the output directory ${outputDirectory}, which the run empties first.`, { fields: { path } });
    if (info.isDirectory()) for (const file of await walk(path)) found.push({ path: file, sizeBytes: (await stat(file)).size, named: false });
    else if (!info.isFile()) throw new AgentError('missing-input', `Input ${path}: expected a session file or a directory of them, found a device or a pipe.`, { fields: { path } });
    else found.push({ path, sizeBytes: info.size, named: true });
  }
  const seen = new Set<string>();
  return found.filter(({ path, named }) => (named || !isWithin(path, outputDirectory)) && !seen.has(resolve(path)) && seen.add(resolve(path)));
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(directory, way) === resolve(path);
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    throw new AgentError('missing-input', `Input ${path}: expected a session file or a directory of them, found nothing there.`, { fields: { path }, cause });
  }
}

/** Links to files are followed, links to directories are not: they may lead in circles. Code-unit order, so that no locale changes which copy of a reply is the first. */
async function walk(directory: string): Promise<string[]> {
  const entries = (await listing(directory)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) files.push(...await walk(path));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile() === true)) files.push(path);
  }
  return files;
}

async function listing(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    throw new AgentError('missing-input', `Input ${directory}: expected a directory that can be listed, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { path: directory }, cause });
  }
}
