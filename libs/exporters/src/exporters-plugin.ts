import { definePlugin, PLUGIN_API_VERSION } from '@turnwright/contracts';
import { jsonl } from './jsonl.js';
import { jsonlTree } from './jsonl-tree.js';
import { parquet } from './parquet.js';

/** The built-in file formats. */
export const exportersPlugin = definePlugin({ apiVersion: PLUGIN_API_VERSION, name: 'exporters', exporters: [jsonl, jsonlTree, parquet] });
