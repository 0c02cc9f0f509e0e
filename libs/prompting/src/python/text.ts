/**
 * Python's white space, which `strip` removes.
 *
 * JavaScript's `trim` lacks U+001C to U+001F and U+0085, and has U+FEFF.
 * source CPython Objects/unicodectype.c _PyUnicode_IsWhitespace
 */
export const PYTHON_SPACE = '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

const PYTHON_SPACE_SET: ReadonlySet<string> = new Set(PYTHON_SPACE);
const PYTHON_SPACE_CODES = codesOf(PYTHON_SPACE);

export function isSpace(character: string): boolean {
  return PYTHON_SPACE_SET.has(character);
}

function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.codePointAt(0) ?? 0));
}

/** Where `text.lstrip(characters)` begins; characters are code points. */
export function strippedStart(text: string, characters?: string): number {
  const set = characters === undefined ? PYTHON_SPACE_CODES : codesOf(characters);
  let start = 0;
  while (start < text.length) {
    const code = text.codePointAt(start) ?? 0;
    if (!set.has(code)) break;
    start += code > 0xffff ? 2 : 1;
  }
  return start;
}

/** Where `text.rstrip(characters)` ends. */
export function strippedEnd(text: string, characters?: string): number {
  const set = characters === undefined ? PYTHON_SPACE_CODES : codesOf(characters);
  let end = text.length;
  while (end > 0) {
    const pair = end > 1 && isLow(text.charCodeAt(end - 1)) && isHigh(text.charCodeAt(end - 2));
    const start = end - (pair ? 2 : 1);
    if (!set.has(text.codePointAt(start) ?? 0)) break;
    end = start;
  }
  return end;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** `text.lstrip(characters)` */
export function stripStart(text: string, characters?: string): string {
  return text.slice(strippedStart(text, characters));
}

/** `text.strip(characters)` */
export function strip(text: string, characters?: string): string {
  const start = strippedStart(text, characters);
  return text.slice(start, Math.max(start, strippedEnd(text, characters)));
}

/** `repr(value)` of a float: the shortest digits that read back, with an exponent from 1e16 up and below 1e-4. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (value !== 0 && (exponent < -4 || exponent >= 16)) return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const digits = decimal(mantissa, exponent);
  return digits.includes('.') ? digits : `${digits}.0`;
}

/** Digits placed around the point. */
function decimal(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** `repr(text)`: single quotes unless only they occur; control characters and lone surrogates escaped. */
export function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\'"]|[\p{C}\p{Z}]/gu, (character) => {
    if (character === '\\' || character === quote) return `\\${character}`;
    if (character === "'" || character === '"' || character === ' ') return character;
    const named = NAMED_ESCAPES.get(character);
    if (named !== undefined) return named;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return quote + body + quote;
}

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map([['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']]);
