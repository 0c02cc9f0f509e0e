import { textOf } from './data-text.js';
import { spend, spendText } from './meter.js';
import { Dict, DictView, Float, isList, Tuple, type Value } from './values.js';

/** Counts what working through all of a value takes: a text's characters, a list's or a dict's entries. */
export function spendOn(value: Value): void {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'string') spendText(value.length);
  } else if (isList(value)) spend(value.length);
  else if (value instanceof Tuple || value instanceof DictView) spend(value.items.length);
  else if (value instanceof Dict) spend(value.entries.size);
  else if (!(value instanceof Float) && 'text' in value) spendText(textOf(value).length);
}
