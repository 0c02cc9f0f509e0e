import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@turnwright/contracts';

export interface InputFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** The user named this file; one found in a directory may be something else without it being an error. */
  readonly named: boolean;
}

/** Files behind the given paths, directories walked, in a fixed order. throws AgentError `missing-input` */
export async function discoverInputs(paths: readonly string[]): Promise<readonly InputFile[]> {
  const found: InputFile[] = [];
  for (const path of paths) {
    const info = await statOf(path);
    if (info.isDirectory()) for (const file of await walk(path)) found.push({ path: file, sizeBytes: (await stat(file)).size, named: false });
    else found.push({ path, sizeBytes: info.size, named: true });
  }
  const seen = new Set<string>();
  return found.filter(({ path }) => !seen.has(path) && seen.add(path));
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    throw new AgentError('missing-input', `Input ${path}: expected a session file or a directory of them, found nothing there.`, { fields: { path }, cause });
  }
}

/** Code-unit order, so that no locale changes which copy of a reply is the first. */
async function walk(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) files.push(...await walk(path));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
