export { jsonl } from './jsonl.js';
export { jsonlTree } from './jsonl-tree.js';
export { parquet } from './parquet.js';
export { exportersPlugin } from './exporters-plugin.js';
export { exportersModule } from './exporters.module.js';
