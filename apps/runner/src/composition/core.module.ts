import { definePlugin, TYPES } from '@turnwright/contracts';
import { reasoningFormats } from '@turnwright/parsing';
import { plugin as promptingPlugin } from '@turnwright/prompting';
import { trajectoryPlugin } from '@turnwright/trajectory';
import { ContainerModule } from 'inversify';
import { recipesPlugin } from '../recipes/recipes.plugin.js';

/** What the core packages bring; they know no container, so the composition root binds it for them. */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(TYPES.Plugin).toConstantValue(definePlugin({ apiVersion: 1, name: '@turnwright/parsing', reasoning: reasoningFormats }));
  bind(TYPES.Plugin).toConstantValue(promptingPlugin);
  bind(TYPES.Plugin).toConstantValue(trajectoryPlugin);
  bind(TYPES.Plugin).toConstantValue(recipesPlugin);
});
