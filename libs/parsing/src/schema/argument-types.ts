import type { JsonSchema } from '@turnwright/contracts';
import { firstCharacter, quoteJson, readJson } from '../json/json-text.js';

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array';

const TYPES: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array'];
/** Type names of other languages that reach schemas through tool frameworks. */
const FOREIGN_TYPES: Readonly<Record<string, JsonType>> = { str: 'string', text: 'string', varchar: 'string', char: 'string', enum: 'string', int: 'integer', int32: 'integer', int64: 'integer', long: 'integer', float: 'number', double: 'number', bool: 'boolean', list: 'array', tuple: 'array', dict: 'object', map: 'object' };
/** `$ref` chains longer than this go in a circle. */
const REFERENCE_MAX = 16;

/** The JSON types that a parameter's schema admits; undefined when it says nothing of types. */
export function typesOf(schema: unknown, root: JsonSchema | undefined, depth = 0): ReadonlySet<JsonType> | undefined {
  if (!isRecord(schema) || depth > REFERENCE_MAX) return undefined;
  if (typeof schema['$ref'] === 'string') return typesOf(resolveReference(schema['$ref'], root), root, depth + 1);
  const found = new Set<JsonType>();
  for (const type of [schema['type']].flat()) addType(found, type);
  for (const union of [schema['anyOf'], schema['oneOf']]) {
    if (Array.isArray(union)) for (const member of union) for (const type of typesOf(member, root, depth + 1) ?? []) found.add(type);
  }
  if (found.size === 0 && Array.isArray(schema['allOf'])) addIntersection(found, schema['allOf'], root, depth);
  if (found.size === 0) addValueTypes(found, schema);
  if (found.size === 0) addShape(found, schema);
  if (schema['nullable'] === true && found.size > 0) found.add('null');
  return found.size === 0 ? undefined : found;
}

function addType(found: Set<JsonType>, type: unknown): void {
  if (typeof type !== 'string') return;
  const known = TYPES.find((candidate) => candidate === type) ?? (Object.hasOwn(FOREIGN_TYPES, type.toLowerCase()) ? FOREIGN_TYPES[type.toLowerCase()] : undefined);
  if (known !== undefined) found.add(known);
}

function addIntersection(found: Set<JsonType>, members: readonly unknown[], root: JsonSchema | undefined, depth: number): void {
  let all: JsonType[] | undefined;
  for (const member of members) {
    const types = typesOf(member, root, depth + 1);
    if (types !== undefined) all = all === undefined ? [...types] : all.filter((type) => types.has(type));
  }
  for (const type of all ?? []) found.add(type);
}

function addValueTypes(found: Set<JsonType>, schema: JsonSchema): void {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : [];
  for (const value of values) {
    if (value === null) found.add('null');
    else if (Array.isArray(value)) found.add('array');
    else if (typeof value === 'number') found.add(Number.isInteger(value) ? 'integer' : 'number');
    else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'object') found.add(typeof value as JsonType);
  }
}

function addShape(found: Set<JsonType>, schema: JsonSchema): void {
  if ('properties' in schema || 'additionalProperties' in schema) found.add('object');
  else if ('items' in schema || 'prefixItems' in schema) found.add('array');
}

/** Follows `#/…` from the root of a tool's parameters. */
export function resolveReference(reference: string, root: JsonSchema | undefined): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A value that stands as raw text, as JSON of the declared type.
 *
 * A declared string stays text whatever it looks like. What no declared type admits stays the raw string, noted.
 */
export function typeValue(raw: string, types: ReadonlySet<JsonType> | undefined, undeclared: 'string' | 'json' = 'string', depthMax = 256): { readonly json: string; readonly notes: readonly string[] } {
  const trimmed = raw.trim();
  if (types === undefined) return (undeclared === 'json' ? readJson(trimmed, depthMax) : undefined) ?? { json: quoteJson(raw), notes: [] };
  if (types.has('null') && (trimmed === 'null' || trimmed === 'None')) return { json: 'null', notes: [] };
  if (types.has('integer') && INTEGER.test(trimmed)) return { json: trimmed, notes: [] };
  if (types.has('number') && NUMBER.test(trimmed)) return { json: trimmed, notes: [] };
  // 5.0 and 1e3 are integers in JSON schema; the lexeme stays.
  if (types.has('integer') && NUMBER.test(trimmed) && Number.isInteger(Number(trimmed))) return { json: trimmed, notes: [] };
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) return { json: trimmed.toLowerCase(), notes: [] };
  const structured = (types.has('object') && firstCharacter(trimmed) === '{') || (types.has('array') && firstCharacter(trimmed) === '[') ? readJson(trimmed, depthMax) : undefined;
  if (structured !== undefined) return structured;
  return { json: quoteJson(raw), notes: types.has('string') ? [] : ['type-mismatch'] };
}
