import { isSpace } from './text.js';

function all(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** Methods of `str` that ask what all its characters are; an empty text is none of it. */
export const TEXT_TESTS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['isdigit', all(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]+$/u)],
  ['isdecimal', all(/^\p{Nd}+$/u)],
  ['isnumeric', all(/^\p{N}+$/u)],
  ['isalpha', all(/^\p{L}+$/u)],
  ['isalnum', all(/^[\p{L}\p{N}]+$/u)],
  ['isspace', (text) => text !== '' && Array.from(text).every(isSpace)],
  ['isascii', (text) => !/[^\u0000-\u007f]/.test(text)],
  ['isupper', (text) => /[\p{Lu}\p{Lt}]/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text)],
  ['islower', (text) => /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text)],
  ['istitle', (text) => /\p{L}/u.test(text) && !/\p{L}\p{Lu}|(?<!\p{L})\p{Ll}/u.test(text)],
  ['isidentifier', all(/^[\p{ID_Start}_]\p{ID_Continue}*$/u)],
  ['isprintable', (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text)],
]);
