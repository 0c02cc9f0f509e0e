import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, type ChatTemplate, type LazyTemplate, type Lazy, type Serving, type Tokenizer } from '@turnwright/contracts';
import type { JinjaChatTemplate } from '../chat-template.js';
import { parseServerProfile } from '../server-profile.js';
import { findNamedTemplate, loadTemplateFrom, loadTokenizerFrom, type TemplateSettings } from '../template-source.js';
import { findModels, modelPlaces, type LocalModel, type ModelPlaces } from './model-places.js';

/** Models that share a tokenizer and a chat template. */
export interface ModelFamily {
  readonly name: string;
  readonly description: string;
  /** Their repositories on Hugging Face; `*` stands for any characters. */
  readonly repositories: readonly string[];
}

/** What a template is loaded with, from what a run says. throws AgentError `unknown-name` */
export function templateSettings({ server, now }: Serving = {}): TemplateSettings {
  return { ...(server === undefined ? {} : { server: parseServerProfile(server) }), ...(now === undefined ? {} : { now }) };
}

/** The template of a family, from a `NAME.jinja` in the user's folders or from a model of the family that lies on this machine. */
export function familyTemplate(family: ModelFamily, places: () => ModelPlaces = modelPlaces): LazyTemplate {
  return {
    name: family.name,
    description: family.description,
    load: async (serving): Promise<ChatTemplate> => {
      const where = places();
      const settings = templateSettings(serving);
      const named = await findNamedTemplate(family.name, where.folders, settings);
      if (named !== undefined) return named;
      return oneOf('template', family, where, async ({ folder, source }) => loadTemplateFrom(folder, { ...settings, name: family.name, source }), ({ fingerprint }: JinjaChatTemplate) => fingerprint);
    },
  };
}

/** The tokenizer of a family, from a model of the family that lies on this machine. */
export function familyTokenizer(family: ModelFamily, places: () => ModelPlaces = modelPlaces): Lazy<Tokenizer> {
  return {
    name: family.name,
    description: family.description,
    load: async () => {
      const read = async ({ folder }: LocalModel): Promise<{ readonly folder: string; readonly hash: string }> => ({ folder, hash: createHash('sha256').update(await readFile(join(folder, 'tokenizer.json'))).digest('hex') });
      const { folder } = await oneOf('tokenizer', family, places(), read, ({ hash }) => hash);
      return loadTokenizerFrom(folder, family.name);
    },
  };
}

/** A repository or model folder by its name, where one lies on this machine. */
export async function findModel(name: string, places: ModelPlaces = modelPlaces()): Promise<LocalModel | undefined> {
  return name.includes('*') ? undefined : (await findModels([name], places))[0];
}

/** What the family's models on this machine agree on. throws AgentError `missing-data` when there is none, `conflicting-options` when they differ */
async function oneOf<T>(what: string, family: ModelFamily, places: ModelPlaces, load: (model: LocalModel) => Promise<T>, identity: (value: T) => string): Promise<T> {
  const found: { readonly model: LocalModel; readonly value: T }[] = [];
  for (const model of await findModels(family.repositories, places)) {
    const value = await load(model).catch(unlessMissing);
    if (value !== undefined) found.push({ model, value });
  }
  const [first] = found;
  if (first === undefined) throw missing(what, family, places);
  if (found.every(({ value }) => identity(value) === identity(first.value))) return first.value;
  const names = found.map(({ model }) => model.repository);
  throw new AgentError('conflicting-options', `The ${what} "${family.name}" could be that of ${names.join(' or ')}, which differ; say which: --${what} ${names[0] ?? ''}.`, { fields: { family: family.name, names } });
}

/** A model folder may hold only a part of a model; what it holds has to be sound. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof AgentError ? error.code !== 'missing-data' : (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function missing(what: string, { name, repositories }: ModelFamily, { folders, cache }: ModelPlaces): AgentError {
  return new AgentError('missing-data', `The ${what} "${name}" is not on this machine: looked for ${repositories.join(', ')} in ${[...folders, `Hugging Face's cache ${cache}`].join(', ')}. Nothing is downloaded: fetch the model's files, or say --${what} FOLDER; TURNWRIGHT_MODELS names folders to look in.`, { fields: { name, repositories, folders, cache } });
}
