const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** Whether offsets in code points are not offsets in UTF-16 units. */
function hasPairs(text: string): boolean {
  return SURROGATE_PAIR.test(text);
}

/** Python's `len(text)`; a lone surrogate counts one. */
export function countCodePoints(text: string): number {
  if (!hasPairs(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Offsets of code points in UTF-16 units, the end included; undefined when they are the same. */
export function codePointOffsets(text: string): readonly number[] | undefined {
  if (!hasPairs(text)) return undefined;
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    offsets.push(offset);
    offset += character.length;
  }
  offsets.push(offset);
  return offsets;
}

/** Less than 0, 0, or more, as Python orders texts: by code points. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  if (index === length) return a.length - b.length;
  const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
  // Code points beyond U+FFFF are surrogates in UTF-16, which are smaller than U+E000 to U+FFFF.
  const [pairA, pairB] = [isSurrogate(unitA), isSurrogate(unitB)];
  return pairA === pairB ? unitA - unitB : pairA ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
