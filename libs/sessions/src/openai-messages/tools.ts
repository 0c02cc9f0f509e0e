import type { Known, ToolDefinition } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';
import { findRaw, respaceJson } from '../json-lines/raw-json.js';

/** The tools of a row; a row without a readable list does not say that there were none. */
export function toolsOf(row: JsonObject, json: string): Known<readonly ToolDefinition[]> {
  const stored = row['tools'];
  const text = typeof stored === 'string' ? stored : Array.isArray(stored) ? slice(json, ['tools']) : undefined;
  const list: unknown = typeof stored === 'string' ? parsed(stored) : stored;
  if (text === undefined || !Array.isArray(list)) return { status: 'unknown' };
  const tools = (list as readonly unknown[]).flatMap((item, index): ToolDefinition[] => {
    const definition = isObject(item) && isObject(item['function']) ? item['function'] : item;
    if (!isObject(definition) || typeof definition['name'] !== 'string' || definition['name'] === '') return [];
    const { name, description, parameters } = definition;
    const source = slice(text, [index]);
    return [{
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isObject(parameters) ? { parameters } : {}),
      ...(source === undefined ? {} : { source: respaceJson(source) }),
    }];
  });
  return { status: 'known', value: tools };
}

function slice(json: string, path: readonly (string | number)[]): string | undefined {
  const span = findRaw(json, path);
  return span === undefined ? undefined : json.slice(span.start, span.end);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
