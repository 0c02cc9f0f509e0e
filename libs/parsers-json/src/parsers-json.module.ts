import { TYPES } from '@turnwright/contracts';
import { ContainerModule } from 'inversify';
import { parsersJson } from './parsers-json.plugin.js';

export const parsersJsonModule = new ContainerModule(({ bind }) => {
  bind(TYPES.Plugin).toConstantValue(parsersJson);
});
