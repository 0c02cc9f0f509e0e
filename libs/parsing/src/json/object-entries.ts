import { Source } from '../source/source.js';
import { afterSpace } from '../source/scan.js';
import { JsonScanner } from './json-scanner.js';
import { readJson } from './json-text.js';

/** A member of a JSON object, its value as written. */
export interface Entry {
  readonly key: string;
  readonly json: string;
}

/** The members of a JSON object in written order, each value as its own text; undefined when the text is no object. Duplicate keys stay. */
export function topLevelEntries(text: string): readonly Entry[] | undefined {
  const object = readJson(text)?.json;
  if (object?.startsWith('{') !== true) return undefined;
  const source = new Source();
  source.feed(object);
  source.final = true;
  source.position = 1;
  const entries: { key: string; json: string }[] = [];
  for (;;) {
    source.position = afterSpace(object, source.position);
    const code = object.charCodeAt(source.position);
    if (code === 125) return entries;
    if (code === 44) {
      source.position = afterSpace(object, source.position + 1);
    }
    const key = JSON.parse(scanValue(source)) as string;
    source.position = afterSpace(object, source.position) + 1;
    source.position = afterSpace(object, source.position);
    entries.push({ key, json: scanValue(source) });
  }
}

/** The elements of a JSON array, each as its own text; undefined when the text is no array. */
export function elementsOf(text: string): readonly string[] | undefined {
  const array = readJson(text)?.json;
  if (array?.startsWith('[') !== true) return undefined;
  const source = new Source();
  source.feed(array);
  source.final = true;
  source.position = 1;
  const elements: string[] = [];
  for (;;) {
    source.position = afterSpace(array, source.position);
    const code = array.charCodeAt(source.position);
    if (code === 93) return elements;
    if (code === 44) source.position++;
    else elements.push(scanValue(source));
  }
}

function scanValue(source: Source): string {
  const parts: string[] = [];
  new JsonScanner(source, { text: (part) => { parts.push(part); }, note: () => undefined }, 256).run();
  return parts.join('').trim();
}
