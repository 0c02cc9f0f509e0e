import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedFile } from './conversation.fixture.js';
import { asServed, JsonNumber, loadTemplate, parseJson, servedTools, type JsonValue, type ServerProfile } from './index.js';

const printed = (value: JsonValue | undefined): unknown => {
  if (value instanceof Map) return [...(value as ReadonlyMap<string, JsonValue>)].map(([key, entry]) => [key, printed(entry)]);
  if (value instanceof JsonNumber) return Number(value.lexeme);
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(printed) : value;
};
const served = (profile: ServerProfile, messages: string, templateText = ''): unknown => printed(asServed(profile, { messages: parseJson(messages) as readonly JsonValue[], tools: null }, templateText).messages as JsonValue);

describe('a server', () => {
  const file = sharedFile('conformance/render/server_tools.jsonl');

  it.skipIf(file === undefined)('prints tools as its request class does', () => {
    const lines = (path: string): ReadonlyMap<string, JsonValue>[] => readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').map((line) => parseJson(line) as ReadonlyMap<string, JsonValue>);
    const conversations = new Map(lines((file ?? '').replace('server_tools', 'conversations')).map((entry) => [entry.get('id'), entry]));
    let compared = 0;
    for (const entry of lines(file ?? '')) {
      const conversation = conversations.get(entry.get('conversation') ?? null);
      if (conversation === undefined) continue;
      for (const profile of ['vllm', 'sglang'] as const) {
        const run = (): unknown => printed(servedTools(profile, conversation.get('tools') ?? null));
        if (entry.has(profile)) expect(run()).toEqual(printed(entry.get(profile)));
        else expect(run).toThrow('a tool needs a function');
        compared++;
      }
    }
    expect(compared).toBe(16);
  });

  it('joins text parts, by newlines or by spaces', () => {
    const messages = '[{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]';
    expect(served('vllm', messages)).toEqual([[['role', 'user'], ['content', 'a\nb']]]);
    expect(served('sglang', messages)).toEqual([[['role', 'user'], ['content', 'a b']]]);
  });

  it('sets both names of reasoning on vLLM, and drops what it does not know', () => {
    expect(served('vllm', '[{"role": "assistant", "content": null, "reasoning_content": "r", "odd": 1}]')).toEqual([[['role', 'assistant'], ['content', ''], ['reasoning', 'r'], ['reasoning_content', 'r']]]);
  });

  it('makes floats of integers from 2^64 on SGLang', () => {
    const text = '[{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": "{\\"a\\": 18446744073709551616, \\"b\\": 1.0}"}}]}, {"role": "user", "content": "x"}]';
    const template = loadTemplate({ name: 't', text: '{{ messages[0].tool_calls[0].function.arguments | tojson }}', source: '', endOfTurn: '' });
    const print = (profile: ServerProfile): string => template.renderValues(new Map([['messages', asServed(profile, { messages: parseJson(text) as readonly JsonValue[], tools: null }, '').messages as JsonValue]]));
    expect(print('sglang')).toBe('{"a": 1.8446744073709552e+19, "b": 1.0}');
    expect(print('vllm')).toBe('{"a": 18446744073709551616, "b": 1.0}');
  });

  it('makes a user message of a last reply on SGLang, and a system message of a developer on vLLM', () => {
    expect(served('sglang', '[{"role": "assistant", "content": "x"}]')).toEqual([[['role', 'user'], ['content', 'x']]]);
    expect(served('vllm', '[{"role": "developer", "content": "x"}]')).toEqual([[['role', 'system'], ['content', 'x']]]);
    expect(served('vllm', '[{"role": "developer", "content": "x"}]', 'developer')).toEqual([[['role', 'developer'], ['content', 'x']]]);
  });

  const withArguments = (json: string): string => `[{"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": ${json}}}]}, {"role": "user", "content": "x"}]`;
  it.each(['vllm', 'sglang'] as const)('takes absent arguments for none, and leaves out an empty list of calls: %s', (profile) => {
    for (const absent of ['""', 'null', '"null"']) expect(served(profile, withArguments(absent))).toEqual([[['role', 'assistant'], ['content', ''], ['tool_calls', [[['function', [['name', 'f'], ['arguments', []]]]]]]], [['role', 'user'], ['content', 'x']]]);
    expect(served(profile, '[{"role": "assistant", "content": "a", "tool_calls": []}, {"role": "user", "content": "x"}]')).toEqual([[['role', 'assistant'], ['content', 'a']], [['role', 'user'], ['content', 'x']]]);
  });

  it('refuses on SGLang what orjson refuses', () => {
    expect(() => served('sglang', withArguments('"{\\"a\\": 1e400}"'))).toThrow('out of range');
    expect(() => served('sglang', withArguments('"[1]"'))).toThrow('no JSON object');
    expect(() => served('vllm', withArguments('"{"'))).toThrow('no JSON');
  });
});
