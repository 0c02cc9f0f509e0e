import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRaw, respaceJson, withoutMember } from './raw-json.js';

function rawAt(json: string, path: readonly (string | number)[]): string | undefined {
  const span = findRaw(json, path);
  return span === undefined ? undefined : json.slice(span.start, span.end);
}

describe('findRaw', () => {
  it('finds a value by keys and indices as it is written', () => {
    expect(rawAt('{"m":{"content":[{"x":1},{"input":{"n":1.0}}]}}', ['m', 'content', 1, 'input'])).toBe('{"n":1.0}');
  });
  it('takes the last of duplicate keys, as JSON.parse does', () => {
    expect(rawAt('{"a":1,"b":2,"a":3}', ['a'])).toBe('3');
  });
  it('knows a key that is written with escapes', () => {
    expect(rawAt('{"\\u0061b":7}', ['ab'])).toBe('7');
  });
  it('is not led astray by braces, commas and quotes in strings', () => {
    expect(rawAt('{"a":"}],\\"{","b":[1,"]"]}', ['b'])).toBe('[1,"]"]');
  });
  it('finds nothing where there is nothing', () => {
    expect(rawAt('{"a":[1]}', ['a', 1])).toBeUndefined();
    expect(rawAt('{"a":[1]}', ['b'])).toBeUndefined();
    expect(rawAt('[]', [0])).toBeUndefined();
  });
});

describe('respaceJson', () => {
  it('keeps number lexemes, integer-like keys and __proto__ in their order', () => {
    expect(respaceJson('{"10":1.0,"2":12345678901234567890,"__proto__":-0.0,"e":1E21}')).toBe('{"10": 1.0, "2": 12345678901234567890, "__proto__": -0.0, "e": 1E21}');
  });
  it('prints separators as Python does and leaves strings alone', () => {
    expect(respaceJson('{"a":[1,2],\n "b" : "x, y: {\\"z\\"}"}')).toBe('{"a": [1, 2], "b": "x, y: {\\"z\\"}"}');
  });
  it('drops needless escapes and keeps needed ones', () => {
    expect(respaceJson('"\\/ \\u00e9 \\u2028 \\u0007 \\n"')).toBe('"/ é \u2028 \\u0007 \\n"');
  });
  it('keeps a lone surrogate as an escape, because no text can hold it', () => {
    expect(respaceJson('{"lone":"\\ud83d"}')).toBe('{"lone": "\\ud83d"}');
  });
  it('never changes the value', () => {
    const seed = 20261130;
    console.log(`respaceJson property seed ${seed}`);
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
        expect(JSON.parse(respaceJson(JSON.stringify(value, null, indent)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('withoutMember', () => {
  it('cuts a member out, whatever its value holds', () => {
    expect(withoutMember('{"a":1,"x":{"s":"}\\",{"},"b":2}', 'x')).toBe('{"a":1,"b":2}');
  });
  it('is not led astray by the key in a string', () => {
    const text = JSON.stringify({ a: ',"x":{}', b: 1 });
    expect(withoutMember(text, 'x')).toBe(text);
  });
  it('leaves a cut value alone', () => {
    expect(withoutMember('{"a":1,"x":{"s":', 'x')).toBe('{"a":1,"x":{"s":');
  });
});
