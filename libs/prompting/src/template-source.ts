import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AgentError } from '@turnwright/contracts';
import { loadTemplate, type JinjaChatTemplate, type TemplateOptions } from './chat-template.js';
import { deriveEndOfTurn } from './template-probe.js';
import { loadTokenizer, type LoadedTokenizer } from './tokenizer.js';

/** What a template is loaded with besides its text. */
export type TemplateSettings = Pick<TemplateOptions, 'now' | 'server' | 'argumentsAs' | 'variables'>;

/** A template from a `.jinja` file, a tokenizer_config.json, or a model's folder. throws AgentError `missing-data`, `template-failed` */
export async function loadTemplateFrom(path: string, settings: TemplateSettings = {}): Promise<JinjaChatTemplate> {
  if (await isFolder(path)) return folderTemplate(path, settings);
  const name = basename(path, extname(path));
  const text = await readText(path);
  if (!path.endsWith('.json')) return templateOf({ name, text, source: basename(path), config: {} }, settings);
  const config = parseConfig(path, text);
  return templateOf({ name, text: chatTemplateOf(config) ?? noTemplate(path), source: basename(path), config }, settings);
}

/**
 * A template by its family's name, from folders that hold `NAME.jinja` files or model folders called NAME.
 *
 * throws AgentError `missing-data`, naming where it was looked for
 */
export async function findTemplate(name: string, folders: readonly string[], settings: TemplateSettings = {}): Promise<JinjaChatTemplate> {
  for (const folder of folders) {
    for (const path of [join(folder, `${name}.jinja`), join(folder, name)]) if (await exists(path)) return loadTemplateFrom(path, settings);
  }
  throw new AgentError('missing-data', `Template "${name}" was not found: expected ${name}.jinja or a model folder ${name} in ${folders.join(', ') || '(no folder was given)'}.`, { fields: { name, folders } });
}

/** The tokenizer of a model's folder. throws AgentError `missing-data`, `tokenizer-failed`, `unsupported` */
export async function loadTokenizerFrom(folder: string): Promise<LoadedTokenizer> {
  const [tokenizerPath, configPath] = [join(folder, 'tokenizer.json'), join(folder, 'tokenizer_config.json')];
  const config = (await exists(configPath)) ? parseConfig(configPath, await readText(configPath)) : {};
  return loadTokenizer({ name: basename(folder), tokenizerJson: parseConfig(tokenizerPath, await readText(tokenizerPath)), tokenizerConfig: config });
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

/** The end of turn is what the template itself writes after a reply; a configuration's eos_token only where that is not plain. */
function templateOf({ name, text, source, config }: Source, settings: TemplateSettings): JinjaChatTemplate {
  const tokens = Object.fromEntries(['bos_token', 'eos_token', 'pad_token', 'unk_token'].flatMap((key) => (tokenText(config[key]) === undefined ? [] : [[key, tokenText(config[key])]])));
  const options = { ...settings, name, text, source, endOfTurn: '', variables: { ...tokens, ...settings.variables } };
  const endOfTurn = deriveEndOfTurn(loadTemplate(options)) ?? tokenText(config['eos_token']) ?? '';
  return loadTemplate({ ...options, endOfTurn });
}

function tokenText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  return typeof content === 'string' ? content : undefined;
}

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
