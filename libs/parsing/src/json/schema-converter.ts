import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { typeValue } from '../schema/argument-types.js';
import type { StringConverter } from './json-scanner.js';

/**
 * Types what a model wrote as a string although the tool's schema admits none: `"21"` for an integer is 21 (vLLM #49316).
 *
 * A string that no declared type admits stays, noted.
 */
export function schemaConverter(context: ReadingContext, attempt: Attempt): StringConverter | undefined {
  if (context.strict || context.tools.isEmpty) return undefined;
  return {
    converterFor(key) {
      const types = context.tools.typesOf(attempt.name, key);
      if (types === undefined || types.has('string')) return undefined;
      return (json) => {
        const typed = typeValue(JSON.parse(json) as string, types, 'string', context.limits.depth);
        attempt.note(typed.notes.length > 0 ? 'type-mismatch' : 'schema-type');
        return typed.notes.length > 0 ? json : typed.json;
      };
    },
  };
}
