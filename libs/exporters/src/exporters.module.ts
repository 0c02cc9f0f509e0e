import { TYPES } from '@turnwright/contracts';
import { ContainerModule } from 'inversify';
import { exportersPlugin } from './exporters-plugin.js';

export const exportersModule = new ContainerModule(({ bind }) => {
  bind(TYPES.Plugin).toConstantValue(exportersPlugin);
});
