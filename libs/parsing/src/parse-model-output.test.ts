import { describe, expect, test } from 'vitest';
import { defineFormat, frame, jsonCall, name, NameRegistry, pairs, parseModelOutput, key, special, think, value, writeCalls } from './index.js';

const json = defineFormat({ name: 'json', source: 'a test', block: { open: special('<call>'), close: special('</call>') }, call: frame`${jsonCall()}` });
const tags = defineFormat({ name: 'tags', source: 'a test', block: { open: special('<call>'), close: special('</call>') }, call: frame`<f=${name}>\n${pairs(frame`<p=${key}>${value}</p>`, { padding: 'line' })}\n</f>` });

describe('token mode', () => {
  test('a control token is structure, and the same characters typed as text are data', () => {
    const typed = parseModelOutput([{ text: '<call>', special: false }, { text: '{"name": "f", "arguments": {}}', special: false }, { text: '</call>', special: false }], { format: json });
    const control = parseModelOutput([{ text: '<call>', special: true }, { text: '{"name": "f", "arguments": {}}', special: false }, { text: '</call>', special: true }], { format: json });
    expect([typed.text, typed.toolUses]).toEqual(['<call>{"name": "f", "arguments": {}}</call>', []]);
    expect(control.toolUses).toEqual([{ name: 'f', input: '{}' }]);
  });

  test('a typed thought marker is text', () => {
    expect(parseModelOutput([{ text: '<think>', special: false }, { text: 'x', special: false }], { reasoning: think }).text).toBe('<think>x');
  });
});

test('an output without a format is text and thoughts', () => {
  expect(parseModelOutput('<think>a</think>b <call>', { reasoning: think })).toMatchObject({ reasoning: 'a', text: 'b <call>', toolUses: [] });
});

test('depth is limited without an exception', () => {
  const deep = `<call>{"name": "f", "arguments": ${'{"a": '.repeat(5000)}1${'}'.repeat(5000)}}</call>`;
  expect(parseModelOutput(deep, { format: json }).attempts[0]?.status).toBe('malformed');
});

test('the writer refuses what the format cannot express', () => {
  expect(() => writeCalls(tags, [{ name: 'f', arguments: '{"a": "x\\n</p>\\n</f>"}' }])).toThrow(/cannot express call 0 "f"/);
});

test.each([
  ['an empty frame', () => defineFormat({ name: 'x', source: '', call: [] }), /found an empty one/],
  ['a frame without a body', () => defineFormat({ name: 'x', source: '', call: frame`<a>${name}</a>` }), /expected a body/],
  ['a value without an end', () => defineFormat({ name: 'x', source: '', block: { open: special('<a>') }, call: frame`<f=${name}>${pairs(frame`<p=${key}>${value}`)}` }), /expected the pair frame to end with a value and a literal/],
])('%s is refused', (_, define, message) => {
  expect(define).toThrow(message);
});

test('a name with two owners is refused unless one replaces the other', () => {
  const entry = (owner: string, replaces: readonly string[] = []) => ({ value: { ...json }, owner, replaces });
  expect(() => new NameRegistry('format', [entry('a'), entry('b')])).toThrow(/registered by a and by b/);
  expect(new NameRegistry('format', [entry('a'), entry('b', ['json'])]).ownerOf('JSON')).toBe('b');
  expect(() => new NameRegistry('format', [])).toThrow(/No format is registered/);
});
