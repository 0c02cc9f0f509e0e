import { TYPES, type Plugin } from '@turnwright/contracts';
import { exportersModule } from '@turnwright/exporters';
import { parsersJsonModule } from '@turnwright/parsers-json';
import { parsersXmlModule } from '@turnwright/parsers-xml';
import { sessionsModule } from '@turnwright/sessions';
import { Container, ContainerModule } from 'inversify';
import type { Application } from './application.js';
import { coreModule } from './core.module.js';
import { registriesModule } from './registries.module.js';

/** The composition root: built-ins, then the user's plugins, then one `get`. throws AgentError `duplicate-name`, `empty-registry` */
export function compose(userPlugins: readonly Plugin[] = []): Application {
  const container = new Container();
  container.load(coreModule, parsersJsonModule, parsersXmlModule, sessionsModule, exportersModule, registriesModule, userModule(userPlugins));
  return container.get<Application>(TYPES.Application);
}

function userModule(plugins: readonly Plugin[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const plugin of plugins) bind(TYPES.Plugin).toConstantValue(plugin);
  });
}
