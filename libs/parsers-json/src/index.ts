export { parsersJson } from './parsers-json.plugin.js';
export { parsersJsonModule } from './parsers-json.module.js';
