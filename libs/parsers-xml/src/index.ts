export { qwen3Coder } from './qwen3-coder.js';
export { parsersXml } from './parsers-xml.plugin.js';
export { parsersXmlModule } from './parsers-xml.module.js';
