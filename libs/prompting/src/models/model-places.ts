import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where models lie on this machine; nothing is ever downloaded. */
export interface ModelPlaces {
  /** Folders of model folders, called `NAME` or `ORGANISATION/NAME`, and of `NAME.jinja` files. */
  readonly folders: readonly string[];
  /** Hugging Face's cache. */
  readonly cache: string;
}

/** A model that lies on this machine. */
export interface LocalModel {
  /** As Hugging Face calls it, `ORGANISATION/NAME`; in a folder without organisations the name alone. */
  readonly repository: string;
  readonly folder: string;
  /** Repository and revision, for provenance. */
  readonly source: string;
}

/** The folders of `TURNWRIGHT_MODELS`, and the cache where huggingface_hub looks for it. */
export function modelPlaces(environment: Readonly<Record<string, string | undefined>> = process.env, home: string = homedir()): ModelPlaces {
  const { TURNWRIGHT_MODELS: named = '', HF_HUB_CACHE: hub, HF_HOME: huggingFace, XDG_CACHE_HOME: caches } = environment;
  return { folders: named.split(delimiter).filter((folder) => folder !== ''), cache: hub ?? join(huggingFace ?? join(caches ?? join(home, '.cache'), 'huggingface'), 'hub') };
}

/** Models whose repository one of the patterns describes, `*` standing for any characters: those of the folders, then the cache's, each by name. */
export async function findModels(patterns: readonly string[], places: ModelPlaces): Promise<LocalModel[]> {
  const matches = patterns.map(matcher);
  const all = [...(await Promise.all(places.folders.map(folderModels))).flat(), ...await cachedModels(places.cache)];
  return all.filter(({ repository }) => matches.some((match) => match(repository)));
}

function matcher(pattern: string): (repository: string) => boolean {
  const expression = (text: string): RegExp => new RegExp(`^${text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 'i');
  const [whole, name] = [expression(pattern), expression(pattern.slice(pattern.indexOf('/') + 1))];
  return (repository) => (repository.includes('/') ? whole : name).test(repository);
}

async function folderModels(folder: string): Promise<LocalModel[]> {
  const models: LocalModel[] = [];
  for (const name of await foldersIn(folder)) {
    const path = join(folder, name);
    if (await isModel(path)) models.push({ repository: name, folder: path, source: name });
    else for (const inner of await foldersIn(path)) {
      if (await isModel(join(path, inner))) models.push({ repository: `${name}/${inner}`, folder: join(path, inner), source: `${name}/${inner}` });
    }
  }
  return models;
}

/** `models--ORGANISATION--NAME/snapshots/REVISION`; `refs/main` says which, or there is but one. */
async function cachedModels(cache: string): Promise<LocalModel[]> {
  const models: LocalModel[] = [];
  for (const entry of await foldersIn(cache)) {
    if (!entry.startsWith('models--')) continue;
    const repository = entry.slice('models--'.length).replace('--', '/');
    const revisions = await foldersIn(join(cache, entry, 'snapshots'));
    const main = await readFile(join(cache, entry, 'refs', 'main'), 'utf8').then((text) => text.trim(), () => undefined);
    const revision = main !== undefined && revisions.includes(main) ? main : revisions.length === 1 ? revisions[0] : undefined;
    if (revision !== undefined) models.push({ repository, folder: join(cache, entry, 'snapshots', revision), source: `${repository}@${revision}` });
  }
  return models;
}

const MODEL_FILES = ['tokenizer_config.json', 'tokenizer.json', 'chat_template.jinja'];

async function isModel(folder: string): Promise<boolean> {
  for (const file of MODEL_FILES) if (await stat(join(folder, file)).then((found) => found.isFile(), () => false)) return true;
  return false;
}

/** Links count: caches are full of them. An absent folder holds nothing. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const kept = await Promise.all(entries.map(async (entry) => entry.isDirectory() || (entry.isSymbolicLink() && await stat(join(folder, entry.name)).then((found) => found.isDirectory(), () => false))));
  return entries.filter((_, index) => kept[index]).map(({ name }) => name).sort();
}
