import type { JsonSchema } from '@turnwright/contracts';

/** Arguments that fit a tool's schema closely enough to show how a call is written: what is required, or else all that is declared. */
export function exampleArguments(schema: JsonSchema | undefined): Readonly<Record<string, unknown>> {
  const properties = recordOf(schema?.['properties']);
  const required = schema?.['required'];
  const keys = Array.isArray(required) && required.length > 0 ? Object.keys(properties).filter((key) => required.includes(key)) : Object.keys(properties);
  return Object.fromEntries(keys.map((key) => [key, exampleValue(recordOf(properties[key]), key)]));
}

function exampleValue(schema: JsonSchema, key: string): unknown {
  const { const: constant, enum: choices, examples, default: standard, type } = schema;
  if (constant !== undefined) return constant;
  for (const list of [examples, choices]) if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  if (standard !== undefined) return standard;
  switch (Array.isArray(type) ? type[0] as unknown : type) {
    case 'integer':
    case 'number': return 1;
    case 'boolean': return true;
    case 'null': return null;
    case 'array': return [exampleValue(recordOf(schema['items']), 'item')];
    case 'object': return exampleArguments(schema);
    default: return `the ${key}`;
  }
}

function recordOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonSchema : {};
}
