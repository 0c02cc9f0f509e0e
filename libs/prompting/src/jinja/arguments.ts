import { isStr, textOf } from '../python/data-text.js';
import { iterate } from '../python/iterate.js';
import { typeName } from '../python/types.js';
import { Dict, typeError, type Arguments, type Keywords } from '../python/values.js';
import type { Evaluate, Frame } from './frame.js';
import type { CallArguments, Expression } from './nodes.js';

export interface EvaluatedArguments {
  readonly args: Arguments;
  readonly keywords: Keywords;
}

export type EvaluateArguments = (frame: Frame) => EvaluatedArguments;

const NONE: readonly never[] = [];
const NO_KEYWORDS: Keywords = new Map();
const NOTHING: EvaluatedArguments = { args: NONE, keywords: NO_KEYWORDS };

export function compileArguments({ positional, named, rest, namedRest }: CallArguments, compile: (expression: Expression) => Evaluate): EvaluateArguments {
  const places = positional.map(compile);
  const names = named.map(([name, value]) => [name, compile(value)] as const);
  const [first] = places;
  if (names.length === 0 && rest === undefined && namedRest === undefined) {
    if (first === undefined) return () => NOTHING;
    if (places.length === 1) return (frame) => ({ args: [first(frame)], keywords: NO_KEYWORDS });
    return (frame) => ({ args: places.map((place) => place(frame)), keywords: NO_KEYWORDS });
  }
  const [more, namedMore] = [rest, namedRest].map((expression) => (expression === undefined ? undefined : compile(expression)));
  return (frame) => {
    const args = places.map((place) => place(frame));
    if (more !== undefined) args.push(...iterate(more(frame)));
    const keywords = new Map(names.map(([name, value]) => [name, value(frame)]));
    if (namedMore !== undefined) {
      const value = namedMore(frame);
      if (!(value instanceof Dict)) throw typeError(`argument after ** must be a mapping, not ${typeName(value)}`);
      for (const { key, value: entry } of value.entries.values()) if (isStr(key)) keywords.set(textOf(key), entry);
    }
    return { args, keywords };
  };
}
