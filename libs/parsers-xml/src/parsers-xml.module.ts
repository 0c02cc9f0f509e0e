import { TYPES } from '@turnwright/contracts';
import { ContainerModule } from 'inversify';
import { parsersXml } from './parsers-xml.plugin.js';

export const parsersXmlModule = new ContainerModule(({ bind }) => {
  bind(TYPES.Plugin).toConstantValue(parsersXml);
});
