import { TYPES } from '@turnwright/contracts';
import { ContainerModule } from 'inversify';
import { sessionsPlugin } from './plugin.js';

/** Binds the built-in readers. */
export const sessionsModule = new ContainerModule(({ bind }) => {
  bind(TYPES.Plugin).toConstantValue(sessionsPlugin);
});
