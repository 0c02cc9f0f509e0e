import { expect, test } from 'vitest';
import { cutsOf, faultOf, randomPieces, read } from './index.js';

test('every cut of a text joins to the text', () => {
  for (const { name, pieces } of cutsOf('a😀b', 1)) expect(pieces.join(''), name).toBe('a😀b');
});

test('random pieces of one seed are the same', () => {
  expect(randomPieces('some text to cut', 7)).toEqual(randomPieces('some text to cut', 7));
});

test('a reading that leaves out a character is a fault', () => {
  const reading = read(['abc'], {}, 'stop');
  expect(faultOf('abc', reading)).toBeUndefined();
  expect(faultOf('abcd', reading)).toBe('regions end at 3, expected 4');
});
