import { describe, expect, it } from 'vitest';
import { loadTemplate, parseJson, qwen3Template, type JsonValue } from './index.js';

const render = (text: string, values: string): string => loadTemplate({ name: 'test', text, source: 'test', endOfTurn: '' }).renderValues(parseJson(values) as ReadonlyMap<string, JsonValue>);

describe('a template', () => {
  it.each([
    ['strip removes the given characters only', "{{ x.strip('\\n') }}|", '{"x": "\\n  a \\n"}', '  a |'],
    ['lstrip and rstrip keep the other side', "{{ x.lstrip('ab') }}{{ x.rstrip('ab') }}", '{"x": "abcab"}', 'cababc'],
    ['white space is what Python strips', '{{ x | trim }}', '{"x": "\\u001c\\u0085\\ufeffa\\u3000"}', '\ufeffa'],
    ['tojson keeps number lexemes as Python reads them', '{{ x | tojson }}', '{"x": [1.0, 1E5, 12345678901234567890, 1e400, -0, 1e16, 0.00001]}', '[1.0, 100000.0, 12345678901234567890, Infinity, 0, 1e+16, 1e-05]'],
    ['tojson keeps the order of integer-like keys', '{{ x | tojson }}', '{"x": {"10": 1, "2": 2, "a": "é<>\\u2028"}}', '{"10": 1, "2": 2, "a": "é<>\u2028"}'],
    ['values print as Python prints them', '{{ x }} {{ y }} {{ z }}', '{"x": true, "y": null, "z": {"a": [1.0, "it\'s"]}}', "True None {'a': [1.0, \"it's\"]}"],
    ['split keeps Python rules', "{{ x.split('|')[-1] }}{{ y.split() | length }}", '{"x": "a|b|c", "y": " p  q "}', 'c2'],
    ['length counts code points', '{{ x | length }}', '{"x": "🙂é"}', '2'],
    ['blocks take their line with them', '{% if x %}\n  a\n    {% endif %}\nb', '{"x": true}', '  a\nb'],
  ])('%s', (_, text, values, expected) => {
    expect(render(text, values)).toBe(expected);
  });

  it('is refused by name and reason when it raises', () => {
    expect(() => render("{{ raise_exception('no roles') }}", '{}')).toThrow('Template "test": no roles');
  });

  it('cannot add text and nothing', () => {
    expect(() => render("{{ 'a' + x }}", '{"x": null}')).toThrow('can only concatenate str');
  });

  it('reaches no clock', () => {
    expect(() => render("{{ strftime_now('%Y') }}", '{}')).toThrow(/template/i);
  });
});

describe('the qwen3 template', async () => {
  const qwen3 = await qwen3Template.load();

  it('writes tools, calls and grouped results as the server does', () => {
    const source = '{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"2":{"default":1.0},"1":{}}}}}';
    const text = qwen3.render({
      tools: [{ name: 'read', source }],
      addGenerationPrompt: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read both.' },
        { role: 'assistant', content: 'Yes.', reasoning_content: 'Two files.', tool_calls: ['a', 'b'].map((path) => ({ type: 'function', function: { name: 'read', arguments: `{"path":"${path}"}` } })) },
        { role: 'tool', content: 'A' },
        { role: 'tool', content: 'B' },
      ],
    });
    expect(text).toContain('<tools>\n{"type": "function", "function": {"name": "read", "parameters": {"type": "object", "properties": {"2": {"default": 1.0}, "1": {}}}}}\n</tools>');
    expect(text.slice(text.indexOf('<|im_end|>\n') + 11)).toBe(
      '<|im_start|>user\nRead both.<|im_end|>\n<|im_start|>assistant\n<think>\nTwo files.\n</think>\n\nYes.\n<tool_call>\n{"name": "read", "arguments": {"path":"a"}}\n</tool_call>\n<tool_call>\n{"name": "read", "arguments": {"path":"b"}}\n</tool_call><|im_end|>\n' +
      '<|im_start|>user\n<tool_response>\nA\n</tool_response>\n<tool_response>\nB\n</tool_response><|im_end|>\n<|im_start|>assistant\n',
    );
  });

  it('drops the reasoning of replies before the last question', () => {
    const text = qwen3.render({ addGenerationPrompt: true, messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b', reasoning_content: 'why' }, { role: 'user', content: 'c' }] });
    expect(text).toBe('<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n<|im_start|>user\nc<|im_end|>\n<|im_start|>assistant\n');
  });

  it('closes the reasoning itself when thinking is off', () => {
    expect(qwen3.render({ addGenerationPrompt: true, variables: { enable_thinking: false }, messages: [{ role: 'user', content: 'a' }] })).toMatch(/assistant\n<think>\n\n<\/think>\n\n$/);
  });
});
