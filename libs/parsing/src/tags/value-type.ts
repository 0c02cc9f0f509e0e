import type { PairsCodec } from '@turnwright/contracts';
import { readJson } from '../json/json-text.js';
import { typeValue, type JsonType } from '../schema/argument-types.js';

/** What a value's type is known from: the wire outranks the schema. */
export type ValueType = { readonly from: 'wire'; readonly type: JsonType | 'json' } | { readonly from: 'schema'; readonly types: ReadonlySet<JsonType> | undefined; readonly undeclared: 'string' | 'json' };

const NAMES: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']);

/** The type that a `type` word says; undefined when it says none that is known. */
export function wireType(word: string | undefined, style: 'flag' | 'name'): JsonType | 'json' | undefined {
  if (word === undefined) return undefined;
  if (style === 'flag') return word === 'true' ? 'string' : word === 'false' ? 'json' : undefined;
  return NAMES.has(word) ? (word as JsonType) : undefined;
}

/** Nothing but a string can come of it, so it can be passed on before it is whole. */
export function isPlainString(type: ValueType, jsonStrings: boolean): boolean {
  if (jsonStrings) return false;
  if (type.from === 'wire') return type.type === 'string';
  return type.types === undefined ? type.undeclared === 'string' : type.types.size === 1 && type.types.has('string');
}

export function valueJson(raw: string, type: ValueType, codec: Pick<PairsCodec, 'undeclared' | 'jsonStrings'>, depthMax: number): { readonly json: string; readonly notes: readonly string[] } {
  const { undeclared } = codec;
  const quoted = codec.jsonStrings && raw.trim().startsWith('"') ? readJson(raw, depthMax) : undefined;
  if (quoted !== undefined && quoted.notes.length === 0) return quoted;
  if (type.from === 'schema') return typeValue(raw, type.types, undeclared, depthMax);
  if (type.type !== 'json') return typeValue(raw, new Set([type.type]), 'string', depthMax);
  const read = readJson(raw, depthMax);
  return read ?? { ...typeValue(raw, undefined), notes: ['type-mismatch'] };
}
