import { z } from 'zod';
import { AgentError } from './errors.js';
import type { MarkerStep, ReasoningFormat, ToolFormat } from './frames.js';
import type { ChatTemplate, Exporter, MergePolicy, Recipe, Serving, SessionReader, Tokenizer } from './ports.js';

/** The version of this contract; a plugin states the one it was written for. */
export const PLUGIN_API_VERSION = 1;

/** What a plugin may bring. Every list may be empty; a plugin that brings nothing is refused. */
export interface PluginContents {
  readonly formats?: readonly ToolFormat[];
  readonly reasoning?: readonly ReasoningFormat[];
  readonly readers?: readonly SessionReader[];
  readonly exporters?: readonly Exporter[];
  readonly recipes?: readonly Recipe[];
  readonly mergePolicies?: readonly MergePolicy[];
  /** Built on first use: their data is large. */
  readonly tokenizers?: readonly Lazy<Tokenizer>[];
  readonly templates?: readonly LazyTemplate[];
}

/** Something large under a name, made when first wanted. */
export interface Lazy<T> {
  readonly name: string;
  readonly description: string;
  load(): Promise<T>;
}

/** A template under its family's name. Loaded for a server, its `server` says so; one that does not is refused for that server. */
export interface LazyTemplate extends Lazy<ChatTemplate> {
  load(serving?: Serving): Promise<ChatTemplate>;
}

export interface Plugin extends PluginContents {
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  readonly name: string;
  /** Names of built-ins that this plugin's things of the same name stand in for. */
  readonly replaces?: readonly string[];
}

/** Checks a plugin's shape. throws AgentError `bad-plugin`, naming the field. */
export function definePlugin(plugin: Plugin): Plugin {
  return parsePlugin(plugin, plugin.name);
}

/** A reasoning format as its author writes it; what is left out takes the usual value. */
export type ReasoningDefinition = Pick<ReasoningFormat, 'name' | 'source'> & Partial<Omit<ReasoningFormat, 'open' | 'close'>> & { readonly open: MarkerStep | readonly MarkerStep[]; readonly close: MarkerStep | readonly MarkerStep[] };

export function defineReasoning(definition: ReasoningDefinition): ReasoningFormat {
  return { aliases: [], models: [], padding: ['', '', ''], wrappers: [], ...definition, open: [definition.open].flat(), close: [definition.close].flat() };
}

/** Types a recipe's `build` from its own options. */
export function defineRecipe<Options extends z.ZodType>(recipe: Recipe<Options>): Recipe {
  return recipe as unknown as Recipe;
}

const named = z.looseObject({ name: z.string().min(1) });
const method = (name: string) => z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', { message: `expected the function ${name}` });

const pluginSchema = z.looseObject({
  apiVersion: z.literal(PLUGIN_API_VERSION),
  name: z.string().min(1),
  replaces: z.array(z.string()).optional(),
  formats: z.array(named.extend({ source: z.string(), call: z.array(z.looseObject({ kind: z.string() })).min(1) })).optional(),
  reasoning: z.array(named.extend({ open: z.array(z.looseObject({ text: z.string().min(1) })), close: z.array(z.looseObject({ text: z.string().min(1) })) })).optional(),
  readers: z.array(named.extend({ detect: method('detect'), read: method('read') })).optional(),
  exporters: z.array(named.extend({ open: method('open') })).optional(),
  recipes: z.array(named.extend({ build: method('build'), options: z.custom((value) => value instanceof z.ZodType || (typeof value === 'object' && value !== null && 'safeParse' in value), { message: 'expected a zod schema' }) })).optional(),
  mergePolicies: z.array(named.extend({ merge: method('merge') })).optional(),
  tokenizers: z.array(named.extend({ load: method('load') })).optional(),
  templates: z.array(named.extend({ load: method('load') })).optional(),
});

const LISTS = ['formats', 'reasoning', 'readers', 'exporters', 'recipes', 'mergePolicies', 'tokenizers', 'templates'] as const;

/** Checks a value that came from outside. throws AgentError `bad-plugin`, naming `where`, the field, and what was expected. */
export function parsePlugin(value: unknown, where: string): Plugin {
  const parsed = pluginSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.length ? issue.path.join('.') : '(the plugin itself)';
    throw new AgentError('bad-plugin', `Plugin ${where}: field "${field}" is wrong: ${issue?.message ?? 'unknown reason'}.`, { fields: { where, field } });
  }
  if (LISTS.every((list) => (parsed.data[list] ?? []).length === 0)) {
    throw new AgentError('bad-plugin', `Plugin ${where}: it brings nothing; expected at least one of ${LISTS.join(', ')}.`, { fields: { where } });
  }
  return value as Plugin;
}
