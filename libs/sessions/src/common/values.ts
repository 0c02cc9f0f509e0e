import type { JsonObject } from '../json-lines/records.js';
import { isObject } from '../json-lines/records.js';

/** A string that is there and not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count of tokens. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The object under a key; an empty one when there is none. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

/** The list under a key; an empty one when there is none. */
export function listAt(value: JsonObject, key: string): readonly unknown[] {
  const found = value[key];
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** The objects of the list under a key, with their place in it. */
export function objectsAt(value: JsonObject, key: string): { readonly item: JsonObject; readonly index: number }[] {
  return listAt(value, key).flatMap((item, index) => (isObject(item) ? [{ item, index }] : []));
}

/** Usage from two counters, when both are there. */
export function usageOf(inputTokens: unknown, outputTokens: unknown): { readonly inputTokens: number; readonly outputTokens: number } | undefined {
  const [input, output] = [count(inputTokens), count(outputTokens)];
  return input === undefined || output === undefined ? undefined : { inputTokens: input, outputTokens: output };
}

/** A file's name without folders and without endings. */
export function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.(jsonl|json|traj|db|eval|ndjson)+$/g, '');
}
