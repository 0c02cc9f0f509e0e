import { z } from 'zod';
import type { Application } from '../composition/application.js';
import { table, type CommandOutput } from './output.js';

interface OptionSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly OptionSchema[];
}

/** `turnwright recipes [NAME]`: what there is, or one recipe with its options. */
export function showRecipes(application: Application, name: string | undefined, options: { readonly json: boolean }, output: CommandOutput): void {
  const recipes = (name === undefined ? application.recipes.values : [application.recipes.get(name)]).map((recipe) => ({ name: recipe.name, description: recipe.description, owner: application.recipes.ownerOf(recipe.name) ?? '', options: optionsOf(recipe.options) }));
  if (options.json) output.line(JSON.stringify(name === undefined ? recipes : recipes[0], null, 2));
  else if (name === undefined) for (const row of table(recipes.map((recipe) => [recipe.name, recipe.description]))) output.line(row);
  else {
    for (const recipe of recipes) {
      output.line(`${recipe.name} (${recipe.owner}): ${recipe.description}`);
      for (const row of table(Object.entries(recipe.options).map(([key, option]) => [`  ${key}`, kindOf(option), option.default === undefined ? '' : `default ${JSON.stringify(option.default)}`, option.description ?? '']))) output.line(row);
    }
  }
}

function optionsOf(schema: z.ZodType): Readonly<Record<string, OptionSchema>> {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, OptionSchema> };
  return described.properties ?? {};
}

function kindOf(option: OptionSchema): string {
  if (option.enum !== undefined) return option.enum.join('|');
  return option.anyOf?.map(kindOf).join('|') ?? [option.type ?? 'value'].flat().join('|');
}
