import { countCodePoints } from './code-points.js';
import { isStr, textOf } from './data-text.js';
import { spendText } from './meter.js';
import { typeName } from './types.js';
import { Dict, DictView, isList, Tuple, typeError, Undefined, type Value } from './values.js';

/** `len(value)` */
export function lengthOf(value: Value): number {
  if (isStr(value)) {
    spendText(textOf(value).length);
    return countCodePoints(textOf(value));
  }
  if (isList(value)) return value.length;
  if (value instanceof Dict) return value.entries.size;
  if (value instanceof Tuple || value instanceof DictView) return value.items.length;
  if (value instanceof Undefined) return 0;
  throw typeError(`object of type '${typeName(value)}' has no len()`);
}
