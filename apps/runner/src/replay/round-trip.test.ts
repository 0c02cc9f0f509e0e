import { extendPrompt, type MessagePart } from '@turnwright/contracts';
import { parseModelOutput, think, writeCalls } from '@turnwright/parsing';
import { parsersXml } from '@turnwright/parsers-xml';
import { createPromptEncoder, loadTemplate, qwen3Tokenizer } from '@turnwright/prompting';
import { expect, test } from 'vitest';
import { readsCalls } from './reads-calls.js';

const qwen3Coder = parsersXml.formats?.find(({ name }) => name === 'qwen3_coder');

test('gym 1787: an output that is parsed and rendered again is the output, byte for byte', async () => {
  // because: rendering what was parsed lost calls of several lines and the white space around the thought's end.
  if (qwen3Coder === undefined) throw new Error('no qwen3_coder');
  const output = 'plan it\n</think>\n\nDoing it.\n\n<tool_call>\n<function=write>\n<parameter=content>\nline1\n\n  line2\n\n</parameter>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call><|im_end|>';
  const tools = [{ name: 'write', parameters: { type: 'object', properties: { content: { type: 'string' }, path: { type: 'string' } } } }];
  const read = parseModelOutput(output.replace('<|im_end|>', ''), { format: qwen3Coder, reasoning: think, tools, promptOpensReasoning: true });
  expect(read.reasoning.trim()).toBe('plan it');
  expect(read.text.trim()).toBe('Doing it.');
  expect(read.toolUses.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([['write', { content: 'line1\n\n  line2\n', path: 'a.txt' }]]);
  const sampled = { author: 'sampled', exactness: 'bytes' } as const;
  const parts: MessagePart[] = [
    { kind: 'reasoning', text: read.reasoning.trim(), ...sampled },
    { kind: 'text', text: read.text.trim(), ...sampled },
    ...read.toolUses.map(({ name, input }): MessagePart => ({ kind: 'tool-call', id: 'c', name, arguments: input, ...sampled })),
  ];
  const template = loadTemplate({
    name: 'coder', source: 'test', endOfTurn: '<|im_end|>',
    text: "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role == 'assistant' %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}{{ '\\n\\n' }}<tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments|items %}<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n</tool_call>{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}",
  });
  const encoder = createPromptEncoder({ tokenizer: await qwen3Tokenizer.load(), template, controlText: 'text', format: { reasoning: think, writeCalls: (calls) => writeCalls(qwen3Coder, calls), reads: (text, calls) => readsCalls(text, calls, { format: qwen3Coder, reasoning: think, fallbacks: [] }) } });
  const head = extendPrompt(undefined, { role: 'user', parts: [{ kind: 'text', text: 'Write it', author: 'user', exactness: 'bytes' }] });
  const call = { id: 'a', identity: 'a', prompt: { status: 'exact', reasons: [], head }, sampled: parts, finishReason: 'tool-calls', loss: true, position: { file: 'f', line: 1, byteOffset: 0 } } as const;
  expect(encoder.encodeCall(call, { tools })).toMatchObject({ outputText: output });
});
