import { describe, expect, test } from 'vitest';
import type { ToolFormat } from '@turnwright/contracts';
import { defineFormat, frame, gemmaArguments, jsonArguments, jsonCall, name, NameRegistry, nestedTags, OutputParser, pairs, parseModelOutput, pythonArguments, key, special, think, value, writeCalls } from './index.js';

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

const python = defineFormat({ name: 'python', source: 'a test', block: { open: special('<call>'), close: special('</call>') }, call: frame`${name}(${pythonArguments}` });
const gemma = defineFormat({ name: 'gemma', source: 'a test', block: { open: special('<call>'), close: special('</call>') }, call: frame`${name}${gemmaArguments('"')}` });
const nested = defineFormat({ name: 'nested', source: 'a test', block: { open: special('<call>'), close: special('</call>') }, call: frame`<f=${name}>${nestedTags('!')}!</f>` });

describe.each([
  ['a JSON body', json, (depth: number) => `{"name": "f", "arguments": ${'{"a": '.repeat(depth)}1${'}'.repeat(depth)}}`],
  ['a JSON value between tags', tags, (depth: number) => `<f=f>\n<p=o>${'['.repeat(depth)}1${']'.repeat(depth)}</p>\n</f>`],
  ['Python literals', python, (depth: number) => `f(a=${'['.repeat(depth)}1${']'.repeat(depth)})`],
  ['Gemma\'s objects', gemma, (depth: number) => `f${'{a:'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['nested tags', nested, (depth: number) => `<f=f>${'!<a>'.repeat(depth)}1${'!</a>'.repeat(depth)}!</f>`],
])('the depth of %s', (_, format, body) => {
  const tools = [{ name: 'f', parameters: { type: 'object', properties: { o: { type: 'array' } } } }];

  test('has a default that ends a call as malformed, or leaves the value as text, and never as an exception', () => {
    const [attempt] = parseModelOutput(`<call>${body(50_000)}</call>`, { format, tools }).attempts;
    expect(attempt?.status === 'malformed' || attempt?.notes.includes('type-mismatch')).toBe(true);
  });

  test('is an option', () => {
    expect(parseModelOutput(`<call>${body(8)}</call>`, { format, tools }).attempts).toMatchObject([{ name: 'f', status: 'ok', notes: [] }]);
    expect(parseModelOutput(`<call>${body(8)}</call>`, { format, tools, depth: 4 }).attempts).not.toMatchObject([{ name: 'f', status: 'ok', notes: [] }]);
  });
});

/** In chunks of 4 characters; what is quadratic takes a minute over 200,000 of them, what is linear some 20 ms. */
function streamTime(text: string, format: ToolFormat): number {
  const parser = new OutputParser({ format, tools: [{ name: 'f' }] });
  const start = performance.now();
  for (let at = 0; at < text.length; at += 4) parser.feed(text.slice(at, at + 4));
  parser.finish();
  return performance.now() - start;
}

test.each([
  ['an opener', json, '<call>'],
  ['a list\'s bracket', json, '<call>['],
  ['a quote', json, '<call>{"name": "f", "arguments": {"a": "x"'],
  ['a comma of a Python list', python, '<call>f(a=[1,'],
  ['a quote of a Python string', python, '<call>f(a="x"'],
  ['a comma of Gemma\'s', gemma, '<call>f{a:1,'],
])('white space behind %s costs what it is long (each chunk looked through all that came before)', (_, format, head) => {
  expect(streamTime(head + ' '.repeat(200_000), format)).toBeLessThan(5000);
});

test('white space as far as a lookahead goes reads the same under every cut', () => {
  const lookahead = ' '.repeat(256);
  const text = `<call>{"name": "f", "arguments": {"a": "x"${lookahead}y"}}</call>`;
  const at = text.indexOf('y');
  expect(parseModelOutput([text.slice(0, at), text.slice(at)], { format: json })).toEqual(parseModelOutput(text, { format: json }));
});

test('white space behind a bare call is text under every cut (half of a closer behind it took it into the call)', () => {
  const bare = defineFormat({ ...tags, name: 'bare', bare: 'declared' });
  const text = '<f=f></f>\n</ca';
  const options = { format: bare, tools: [{ name: 'f' }] };
  expect(parseModelOutput(text, options)).toMatchObject({ items: [{ kind: 'tool-call', name: 'f' }, { kind: 'text', text: '\n</ca' }] });
  expect(parseModelOutput(text.split(''), options)).toEqual(parseModelOutput(text, options));
});

test('white space behind a call whose closer is missing is text under every cut (a cut behind it took it into the call)', () => {
  const closed = defineFormat({ name: 'closed', source: 'a test', call: frame`${special('<f ')}${name}>${jsonArguments}${special('</f>')}` });
  const text = '<f g>{} o';
  expect(parseModelOutput(text, { format: closed })).toMatchObject({ items: [{ kind: 'tool-call', name: 'g' }, { kind: 'text', text: ' o' }] });
  expect(parseModelOutput(text.split(''), { format: closed })).toEqual(parseModelOutput(text, { format: closed }));
});

test('white space that JSON lacks becomes a blank (a no-break space stood between arguments that no JSON parser took)', () => {
  const { toolUses, attempts } = parseModelOutput('<call>{"name": "f", "arguments": {\u00a0"a": "\u00a0"\u000c}}</call>', { format: json });
  expect(toolUses).toEqual([{ name: 'f', input: '{ "a": "\u00a0" }' }]);
  expect(attempts).toMatchObject([{ status: 'repaired', notes: ['foreign-space'] }]);
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
