import type { JsonSchema } from '@turnwright/contracts';
import { isRecord, resolveReference, typesOf, type JsonType } from './argument-types.js';

/** The types that a schema admits. */
export function schemaTypes(schema: unknown, root: JsonSchema | undefined): ReadonlySet<JsonType> | undefined {
  return typesOf(schema, root);
}

/** The schema of a member, or of the items when the member is called `item`. */
export function memberSchema(schema: unknown, name: string, root: JsonSchema | undefined, depth = 0): unknown {
  if (!isRecord(schema) || depth > 16) return undefined;
  if (typeof schema['$ref'] === 'string') return memberSchema(resolveReference(schema['$ref'], root), name, root, depth + 1);
  const properties = schema['properties'];
  if (isRecord(properties) && Object.hasOwn(properties, name)) return properties[name];
  if (name === 'item' && 'items' in schema) return schema['items'];
  for (const union of [schema['anyOf'], schema['oneOf'], schema['allOf']]) {
    if (!Array.isArray(union)) continue;
    for (const member of union) {
      const found = memberSchema(member, name, root, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return isRecord(schema['additionalProperties']) ? schema['additionalProperties'] : undefined;
}
