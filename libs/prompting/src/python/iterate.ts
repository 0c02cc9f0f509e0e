import { cut, isStr, textOf } from './data-text.js';
import { spend } from './meter.js';
import { typeName } from './types.js';
import { spendOn } from './working-size.js';
import { Dict, DictView, Generator, isList, Tuple, typeError, Undefined, type Str, type Value } from './values.js';

/** The items that `for` walks: a text's code points, a dict's keys, nothing of what is undefined. */
export function iterate(value: Value, otherwise?: string): readonly Value[] {
  if (isList(value)) return value;
  // The others are made into lists first.
  spendOn(value);
  if (value instanceof Tuple || value instanceof DictView) return value.items;
  if (value instanceof Dict) return Array.from(value.entries.values(), ({ key }) => key);
  if (value instanceof Generator) return value.take();
  if (isStr(value)) return characters(value);
  if (value instanceof Undefined) return [];
  throw typeError(otherwise ?? `'${typeName(value)}' object is not iterable`);
}

function characters(value: Str): readonly Str[] {
  spend(textOf(value).length);
  if (typeof value === 'string') return Array.from(value);
  let offset = 0;
  return Array.from(value.text, (character) => cut(value, offset, (offset += character.length)));
}
