import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AgentError } from '@turnwright/contracts';
import { loadTemplate, type JinjaChatTemplate, type TemplateOptions } from './chat-template.js';
import { deriveEndTokens } from './template-probe.js';
import { namedTokens } from './named-tokens.js';
import { loadTokenizer, type LoadedTokenizer } from './tokenizer.js';

/** What a template is loaded with besides its text. */
export type TemplateSettings = Pick<TemplateOptions, 'now' | 'server' | 'argumentsAs' | 'variables'> & Partial<Pick<TemplateOptions, 'name' | 'source'>>;

/** A template from a `.jinja` file, a tokenizer_config.json, or a model's folder. throws AgentError `missing-data`, `template-failed` */
export async function loadTemplateFrom(path: string, settings: TemplateSettings = {}): Promise<JinjaChatTemplate> {
  if (await isFolder(path)) return folderTemplate(path, settings);
  const name = basename(path, extname(path));
  const text = await readText(path);
  if (!path.endsWith('.json')) return templateOf({ name, text, source: basename(path), config: {} }, settings);
  const config = parseConfig(path, text);
  return templateOf({ name, text: chatTemplateOf(config) ?? noTemplate(path), source: basename(path), config }, settings);
}

/** A template called NAME in folders that hold `NAME.jinja` files or model folders called NAME. throws AgentError `template-failed` */
export async function findNamedTemplate(name: string, folders: readonly string[], settings: TemplateSettings = {}): Promise<JinjaChatTemplate | undefined> {
  for (const folder of folders) {
    for (const path of [join(folder, `${name}.jinja`), join(folder, name)]) if (await exists(path)) return loadTemplateFrom(path, settings);
  }
  return undefined;
}

/** The same, where it has to be there. throws AgentError `missing-data`, naming where it was looked for */
export async function findTemplate(name: string, folders: readonly string[], settings: TemplateSettings = {}): Promise<JinjaChatTemplate> {
  const found = await findNamedTemplate(name, folders, settings);
  if (found !== undefined) return found;
  throw new AgentError('missing-data', `Template "${name}" was not found: expected ${name}.jinja or a model folder ${name} in ${folders.join(', ') || '(no folder was given)'}.`, { fields: { name, folders } });
}

/** The tokenizer of a model's folder, called as the folder unless named. throws AgentError `missing-data`, `tokenizer-failed`, `unsupported` */
export async function loadTokenizerFrom(folder: string, name: string = basename(folder)): Promise<LoadedTokenizer> {
  const [tokenizerPath, configPath] = [join(folder, 'tokenizer.json'), join(folder, 'tokenizer_config.json')];
  const config = (await exists(configPath)) ? parseConfig(configPath, await readText(configPath)) : {};
  return loadTokenizer({ name, tokenizerJson: parseConfig(tokenizerPath, await readText(tokenizerPath)), tokenizerConfig: config });
}

/** `chat_template.jinja` wins over the configuration's own, as in transformers. */
async function folderTemplate(folder: string, settings: TemplateSettings): Promise<JinjaChatTemplate> {
  const [configPath, filePath] = [join(folder, 'tokenizer_config.json'), join(folder, 'chat_template.jinja')];
  const config = (await exists(configPath)) ? parseConfig(configPath, await readText(configPath)) : {};
  const text = (await exists(filePath)) ? await readText(filePath) : chatTemplateOf(config);
  return templateOf({ name: basename(folder), text: text ?? noTemplate(folder), source: basename(folder), config }, settings);
}

interface Source {
  readonly name: string;
  readonly text: string;
  readonly source: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The end of turn is what the template itself writes after a reply; a configuration's eos_token where it writes none. */
function templateOf({ name, text, source, config }: Source, settings: TemplateSettings): JinjaChatTemplate {
  const options = { name, source, ...settings, text, endOfTurn: '', variables: { ...namedTokens(config), ...settings.variables } };
  const eos = options.variables['eos_token'];
  const known = typeof eos === 'string' ? eos : undefined;
  const { endOfTurn = known ?? '', endOfCalls } = deriveEndTokens(loadTemplate({ now: PROBE_CLOCK, ...options }), known);
  return loadTemplate({ ...options, endOfTurn, ...(endOfCalls === undefined ? {} : { endOfCalls }) });
}

/** Templates that write the date are tried too; which it is does not matter for how a reply ends. */
const PROBE_CLOCK = '2026-01-15T12:34:56';

/** One template, or the one called `default` of several. */
function chatTemplateOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const value = config['chat_template'];
  if (typeof value === 'string') return value;
  const several = Array.isArray(value) ? (value as readonly { readonly name?: unknown; readonly template?: unknown }[]) : [];
  const template = (several.find((entry) => entry.name === 'default') ?? several[0])?.template;
  return typeof template === 'string' ? template : undefined;
}

function noTemplate(path: string): never {
  throw new AgentError('missing-data', `"${path}" has no chat template; expected chat_template.jinja, or chat_template in tokenizer_config.json.`, { fields: { path } });
}

function parseConfig(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new AgentError('missing-data', `"${path}" is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { fields: { path }, cause });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AgentError('missing-data', `"${path}" cannot be read.`, { fields: { path }, cause });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((found) => found.isDirectory(), () => false);
}
