import type { CallToWrite, ToolDefinition } from '@turnwright/contracts';
import { elementsOf, topLevelEntries } from './json/object-entries.js';
import { ToolIndex } from './schema/tool-index.js';

/** A JSON string's text, or any other value's JSON. */
export function plainText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The name of a value's type, the schema's where the value could be several. */
export function jsonType(json: string, call: CallToWrite, key: string, tools: readonly ToolDefinition[]): string {
  if (json.startsWith('"')) return 'string';
  if (json.startsWith('{')) return 'object';
  if (json.startsWith('[')) return 'array';
  if (json === 'null') return 'null';
  if (json === 'true' || json === 'false') return 'boolean';
  return new ToolIndex(tools).typesOf(call.name, key)?.has('integer') === true ? 'integer' : 'number';
}

/** A JSON value as a Python literal; strings as repr writes them, but always in double quotes. */
export function toPython(json: string): string {
  const entries = topLevelEntries(json);
  if (entries !== undefined) return `{${entries.map(({ key, json: value }) => `${JSON.stringify(key)}: ${toPython(value)}`).join(', ')}}`;
  const elements = elementsOf(json);
  if (elements !== undefined) return `[${elements.map(toPython).join(', ')}]`;
  if (json.startsWith('"')) return JSON.stringify(JSON.parse(json));
  return { true: 'True', false: 'False', null: 'None' }[json] ?? json;
}

/** A JSON value with bare keys and marked strings. */
export function toGemma(json: string, quote: string): string {
  const entries = topLevelEntries(json);
  if (entries !== undefined) return `{${entries.map(({ key, json: value }) => `${key}:${toGemma(value, quote)}`).join(',')}}`;
  const elements = elementsOf(json);
  if (elements !== undefined) return `[${elements.map((element) => toGemma(element, quote)).join(',')}]`;
  return json.startsWith('"') ? `${quote}${plainText(json)}${quote}` : json;
}

/** A value as tags of its own names behind a prefix. */
export function toTags(name: string, json: string, prefix: string): string {
  const entries = topLevelEntries(json);
  const elements = elementsOf(json);
  const inside = entries !== undefined ? entries.map(({ key, json: value }) => toTags(key, value, prefix)).join('') : elements !== undefined ? elements.map((element) => toTags('item', element, prefix)).join('') : plainText(json);
  return `${prefix}<${name}>${inside}${prefix}</${name}>`;
}
