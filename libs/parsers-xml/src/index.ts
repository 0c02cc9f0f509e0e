export { parsersXml } from './parsers-xml.plugin.js';
export { parsersXmlModule } from './parsers-xml.module.js';
