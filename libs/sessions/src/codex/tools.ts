import type { Known, ToolDefinition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { objectsAt, text } from '../common/values.js';

/** The tools that a request offered, members of namespaces included. */
export function toolDefinitions(tools: readonly JsonObject[]): Known<readonly ToolDefinition[]> {
  return { status: 'known', value: tools.flatMap((tool) => (tool['type'] === 'namespace' ? objectsAt(tool, 'tools').flatMap(({ item }) => definitionOf(item)) : definitionOf(tool))) };
}

function definitionOf(tool: JsonObject): ToolDefinition[] {
  const name = text(tool['name']) ?? (tool['type'] === 'function' || tool['type'] === 'custom' ? undefined : text(tool['type']));
  if (name === undefined) return [];
  const description = text(tool['description']);
  return [{ name, ...(description === undefined ? {} : { description }), ...(isObject(tool['parameters']) ? { parameters: tool['parameters'] } : {}) }];
}
