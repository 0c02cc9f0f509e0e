import { TYPES, type Plugin, type PluginContents } from '@turnwright/contracts';
import { NameRegistry } from '@turnwright/parsing';
import { ContainerModule, type ResolutionContext } from 'inversify';
import { Application } from './application.js';

/** One registry for each kind of thing, made from all plugins together. */
export const registriesModule = new ContainerModule(({ bind }) => {
  const registry = <K extends keyof PluginContents>(identifier: symbol, kind: string, list: K): void => {
    bind(identifier).toDynamicValue((context) => registryOf(context, kind, list)).inSingletonScope();
  };
  registry(TYPES.ToolFormats, 'tool-call format', 'formats');
  registry(TYPES.ReasoningFormats, 'reasoning format', 'reasoning');
  registry(TYPES.Readers, 'session reader', 'readers');
  registry(TYPES.Exporters, 'output format', 'exporters');
  registry(TYPES.Recipes, 'recipe', 'recipes');
  registry(TYPES.MergePolicies, 'merge policy', 'mergePolicies');
  registry(TYPES.Tokenizers, 'tokenizer', 'tokenizers');
  registry(TYPES.Templates, 'chat template', 'templates');
  bind(TYPES.Application).to(Application).inSingletonScope();
});

type Named = { readonly name: string; readonly aliases?: readonly string[] };

/** inversify gives `[]` when nothing is bound, so the registry itself refuses an empty list. */
function registryOf(context: ResolutionContext, kind: string, list: keyof PluginContents): NameRegistry<Named> {
  const plugins = context.getAll<Plugin>(TYPES.Plugin);
  return new NameRegistry<Named>(kind, plugins.flatMap((plugin) => (plugin[list] ?? []).map((value) => ({ value, owner: plugin.name, replaces: plugin.replaces ?? [] }))));
}
