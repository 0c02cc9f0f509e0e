import { JsonNumber, type JsonValue } from '../json-value.js';
import { DataText } from './data-text.js';
import { numberOfLexeme } from './numbers.js';
import { Dict, type Str, type Value } from './values.js';

/** Makes the texts of a request: plain ones, or ones that stay known as the request's. */
export type MakeText = (text: string) => Str;

export const plain: MakeText = (text) => text;
export const marked: MakeText = (text) => (text === '' ? text : new DataText(text));

/** A JSON value as a template sees it. */
export function fromJson(value: JsonValue, make: MakeText): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return make(value);
  if (value instanceof JsonNumber) return numberOfLexeme(value.lexeme);
  if (value instanceof Map) {
    const dict = new Dict();
    for (const [key, entry] of value as ReadonlyMap<string, JsonValue>) dict.set(key, make(key), fromJson(entry, make));
    return dict;
  }
  return (value as readonly JsonValue[]).map((item) => fromJson(item, make));
}
