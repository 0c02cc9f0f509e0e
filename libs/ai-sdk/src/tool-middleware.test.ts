import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { think } from '@turnwright/parsing';
import { generateText, isStepCount, streamText, type ModelMessage } from 'ai';
import { convertArrayToReadableStream } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { createToolMiddleware, type ToolMiddlewareOptions } from './index.js';
import { countingIds, hermesLike, tagged, textModel, usage, weather, weatherElsewhere, withIds } from './models.fixture.js';

const call = (city: string): string => `<tool_call>\n{"name": "weather", "arguments": {"city": "${city}"}}\n</tool_call>`;
const middleware = (options: Partial<ToolMiddlewareOptions> = {}) => createToolMiddleware({ format: hermesLike, reasoning: think, generateId: countingIds(), ...options });
const tools = { weather: weatherElsewhere };
/** What the SDK hands to a wrapper for a request with that tool. */
const params = { prompt: [], tools: [{ type: 'function' as const, name: 'weather', inputSchema: {} }] };

async function batch(text: string, end: 'stop' | 'length' = 'stop', options: Partial<ToolMiddlewareOptions> = {}) {
  const { model } = textModel(middleware(options), [text], { end });
  return generateText({ model, tools, prompt: 'Hi' });
}

const OUTPUTS: Readonly<Record<string, string>> = {
  'plain text': '  Just text.\n',
  'one call': call('Oslo'),
  'parallel calls of one tool': `${call('Oslo')}\n${call('Rome')}`,
  'text around a call': `I look.\n${call('Oslo')}\nDone.`,
  'a thought, then a call': `<think>\nWhich city?\n</think>\n\n${call('Oslo')}`,
  'a thought, then text': '<think>\nHm.\n</think>\n\nYes: a < b.',
  'a cut call': `I look.\n${call('Oslo').slice(0, -20)}`,
  'a malformed call, then a good one': `<tool_call>\n{"name": "weather", "arguments": [}\n</tool_call>\n${call('Rome')}`,
  'an unknown tool': '<tool_call>\n{"name": "teleport", "arguments": {}}\n</tool_call>',
  'nothing': '',
};

describe('batch', () => {
  // because: the first block was trimmed as if something stood before it
  test('white space that begins and ends the answer is the model\'s', async () => {
    expect((await batch('  Just text.\n')).text).toBe('  Just text.\n');
  });

  test('text becomes text and calls', async () => {
    const { steps: [step], text, finishReason } = await batch(`I look.\n${call('Oslo')}\n${call('Rome')}`);
    expect(text).toBe('I look.');
    expect(step?.toolCalls.map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input])).toEqual([['id-1', 'weather', { city: 'Oslo' }], ['id-2', 'weather', { city: 'Rome' }]]);
    expect(finishReason).toBe('tool-calls');
  });

  test('a thought becomes reasoning without the space around it', async () => {
    const { reasoningText, text } = await batch('<think>\nHm.\n</think>\n\nYes.');
    expect([reasoningText, text]).toEqual(['Hm.', 'Yes.']);
  });

  test('a call cut short is no call; it is reported and the reason stays length', async () => {
    const written = call('Oslo').slice(0, 60);
    const { finishReason, toolCalls, text, warnings, finalStep } = await batch(`I look.\n${written}`, 'length');
    expect([finishReason, toolCalls, text]).toEqual(['length', [], 'I look.']);
    expect(finalStep.providerMetadata?.['turnwright']).toEqual({ attempts: [expect.objectContaining({ index: 0, name: 'weather', status: 'incomplete', raw: written })] });
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('Attempted call 0 "weather" is incomplete') as string }]);
  });

  test('the reason stays length when a whole call stands before the cut', async () => {
    const { finishReason, toolCalls } = await batch(`${call('Oslo')}\n<tool_call>\n{"na`, 'length');
    expect(finishReason).toBe('length');
    expect(toolCalls).toHaveLength(1);
  });

  test('a call of an unknown tool reaches the SDK, which answers the model', async () => {
    const { toolCalls, finishReason } = await batch(OUTPUTS['an unknown tool'] ?? '');
    expect(toolCalls).toEqual([expect.objectContaining({ toolName: 'teleport', invalid: true })]);
    expect(finishReason).toBe('tool-calls');
  });

  test('without tools, and where the request forbids calls, a call is text', async () => {
    const { model } = textModel(middleware(), [call('Oslo'), call('Oslo')]);
    expect((await generateText({ model, prompt: 'Hi' })).text).toBe(call('Oslo'));
    expect((await generateText({ model, tools, toolChoice: 'none', prompt: 'Hi' })).text).toBe(call('Oslo'));
  });
});

describe('stream', () => {
  for (const [title, output] of Object.entries(OUTPUTS)) {
    for (const end of ['stop', 'length'] as const) {
      test(`${title}, ending with ${end}: every cut gives what a batch gives`, async () => {
        const whole = await batch(output, end);
        for (const size of [1, 2, 3, 7, 1000]) {
          const { model } = textModel(middleware(), [output], { end, size });
          const streamed = streamText({ model, tools, prompt: 'Hi' });
          expect(await streamed.content).toEqual(whole.content);
          expect(await streamed.finishReason).toBe(whole.finishReason);
          expect((await streamed.finalStep).providerMetadata).toEqual(whole.finalStep.providerMetadata);
        }
      });
    }
  }

  test('a call comes as input-start, deltas, input-end, call', async () => {
    const { model } = textModel(middleware(), [`I look.\n${call('Oslo')}`], { size: 4 });
    const parts = [];
    for await (const part of streamText({ model, tools, prompt: 'Hi' }).stream) if (part.type.startsWith('t')) parts.push(part);
    const types = parts.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual(['text-start', 'text-delta', 'text-end', 'tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call']);
    expect(parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : [])).join('')).toBe('{"city": "Oslo"}');
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : part.type.startsWith('tool-input') && 'id' in part ? [part.id] : []));
    expect(new Set(ids)).toEqual(new Set(['id-1']));
  });

  test('a stream that breaks off ends what is open', async () => {
    const { wrapStream } = middleware({ toolsWrittenBy: 'provider' });
    const stream = new ReadableStream({ start(controller) {
      controller.enqueue({ type: 'text-delta', id: '0', delta: 'I look. <tool_call>\n{"name": "weather", "arguments": {"ci' });
      controller.close();
    } });
    const read = await wrapStream?.({ doStream: () => Promise.resolve({ stream }), doGenerate: () => Promise.reject(new Error('unused')), params, model: textModel(middleware(), []).model as never });
    const types = [];
    for await (const part of read?.stream ?? []) types.push(part.type);
    expect(types.filter((type) => type.endsWith('-end'))).toEqual(['text-end', 'tool-input-end']);
    expect(types).not.toContain('tool-call');
  });
});

describe('what the provider says of its text', () => {
  const said = (item: string) => ({ provider: { item } });
  const finishReason = { unified: 'stop' as const, raw: 'stop' };
  const texts = [{ text: ' One. ', item: 'a' }, { text: `Two.\n${call('Oslo')}\nThree.`, item: 'b' }];
  const expected = [
    { type: 'text', text: ' One. ', providerMetadata: said('a') },
    { type: 'text', text: 'Two.', providerMetadata: said('b') },
    expect.objectContaining({ type: 'tool-call', toolName: 'weather' }),
    { type: 'text', text: 'Three.', providerMetadata: said('b') },
  ];
  const wrapped = { params, model: textModel(middleware(), []).model as never };
  const unused = () => Promise.reject(new Error('unused'));

  // because: texts were cut anew, and the provider's item ids and citations fell away with the old blocks
  test('stays with the text in a batch', async () => {
    const content = texts.map(({ text, item }) => ({ type: 'text' as const, text, providerMetadata: said(item) }));
    const read = await middleware({ toolsWrittenBy: 'provider' }).wrapGenerate?.({ ...wrapped, doStream: unused, doGenerate: () => Promise.resolve({ content, finishReason, usage, warnings: [] }) });
    expect(read?.content).toEqual(expected);
  });

  test.each(['text-start', 'text-delta', 'text-end'] as const)('stays with the text in a stream that says it at %s', async (where) => {
    const parts = texts.flatMap(({ text, item }, id) => (['text-start', 'text-delta', 'text-end'] as const).map((type) => ({ type, id: String(id), ...(type === 'text-delta' ? { delta: text } : {}), ...(type === where ? { providerMetadata: said(item) } : {}) }) as LanguageModelV4StreamPart));
    const stream = convertArrayToReadableStream<LanguageModelV4StreamPart>([...parts, { type: 'finish', finishReason, usage }]);
    const read = await middleware({ toolsWrittenBy: 'provider' }).wrapStream?.({ ...wrapped, doGenerate: unused, doStream: () => Promise.resolve({ stream }) });
    const ends = [];
    for await (const part of read?.stream ?? []) if (part.type === 'text-end') ends.push(part.providerMetadata);
    expect(ends.at(0)).toEqual(said('a'));
    expect(ends.at(-1)).toEqual(said('b'));
  });
});

describe('citations', () => {
  const source = { type: 'source' as const, sourceType: 'url' as const, id: 's', url: 'https://example.org' };
  const citations = [{ source, startIndex: 0, endIndex: 3, citedText: 'fact' }];

  test.each([
    ['keep their offsets in a text that is whole', '  As it is. ', citations],
    ['lose offsets that would count in another text', `${call('Oslo')}\nSo.`, [{ source, citedText: 'fact' }]],
  ])('%s', async (_title, text, expected) => {
    const read = await middleware({ toolsWrittenBy: 'provider' }).wrapGenerate?.({
      params, model: textModel(middleware(), []).model as never, doStream: () => Promise.reject(new Error('unused')),
      doGenerate: () => Promise.resolve({ content: [{ type: 'text', text, citations }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }),
    });
    expect(read?.content.at(-1)).toMatchObject({ type: 'text', citations: expected });
  });
});

describe('prompt', () => {
  test('tools become system text that shows a call, and leave the request', async () => {
    const { model, prompts } = textModel(middleware(), ['Hello.']);
    await generateText({ model, tools, instructions: 'Be brief.', prompt: 'Hi' });
    const system = prompts[0]?.prompt[0];
    expect(system?.content).toMatch(/^Be brief\.\n\n/);
    expect(system?.content).toContain('"name":"weather","description":"Weather in a city"');
    expect(system?.content).toContain('<tool_call>\n{"name": "weather", "arguments": {"city":"the city"}}\n</tool_call>');
    expect(prompts[0]).not.toHaveProperty('tools');
    expect(prompts[0]).not.toHaveProperty('toolChoice');
  });

  test('a forced tool is named', async () => {
    const { model, prompts } = textModel(middleware(), [call('Oslo')]);
    await generateText({ model, tools, toolChoice: { type: 'tool', toolName: 'weather' }, prompt: 'Hi' });
    expect(prompts[0]?.prompt[0]?.content).toContain('must call the function weather');
  });

  test('a provider that writes tools itself gets the request as it is', async () => {
    const { model, prompts } = textModel(middleware({ toolsWrittenBy: 'provider' }), [call('Oslo')]);
    const { finishReason } = await generateText({ model, tools, prompt: 'Hi' });
    expect(prompts[0]?.tools).toHaveLength(1);
    expect(prompts[0]?.prompt).toHaveLength(1);
    expect(finishReason).toBe('tool-calls');
  });

  for (const stream of [false, true]) {
    test(`history round trip, ${stream ? 'streamed' : 'batch'}: the next prompt holds the answer as the model wrote it, then the results`, async () => {
      const written = `<think>\nWhich?\n</think>\n\nI look.\n${call('Oslo')}\n${call('Rome')}`;
      const { model, prompts } = textModel(middleware(), [written, '21 and 3.']);
      const request = { model, tools: { weather }, stopWhen: isStepCount(3), prompt: 'Hi' };
      const text = stream ? await streamText(request).text : (await generateText(request)).text;
      expect(text).toBe('21 and 3.');
      const [, , assistant, results] = prompts[1]?.prompt ?? [];
      expect(assistant).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: written.replaceAll('"city": ', '"city":') }] });
      expect(results).toMatchObject({ role: 'user', content: [{ type: 'text', text: '<tool_response>\n{"name":"weather","content":{"city":"Oslo","degrees":3}}\n</tool_response>\n<tool_response>\n{"name":"weather","content":{"city":"Rome","degrees":21}}\n</tool_response>' }] });
    });
  }

  test('thoughts before the last question are left out', async () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text', text: 'Hello.' }] }, { role: 'user', content: 'And?' }];
    const { model, prompts } = textModel(middleware(), ['So.']);
    await generateText({ model, messages });
    expect(prompts[0]?.prompt[1]).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] });
  });

  test('a call that the format cannot write is told as JSON, with a warning', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'x\n</parameter>\n</function>\n</tool_call>' } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'weather', output: { type: 'error-text', value: 'no city' } }] },
    ];
    const { model, prompts } = textModel(middleware({ format: tagged }), ['So.']);
    const { warnings } = await generateText({ model, tools, messages });
    expect(JSON.stringify(prompts[0]?.prompt[2])).toContain('Called weather with {');
    expect(JSON.stringify(prompts[0]?.prompt[3])).toContain('no city');
    expect(warnings).toEqual([expect.objectContaining({ type: 'other' })]);
  });
});

describe('ids', () => {
  const written = '<|calls|><|call|>functions.weather:0<|args|>{"city":"Oslo"}<|/call|><|/calls|>';

  test('an id that the model wrote is kept, written back, and not given twice', async () => {
    const { model, prompts } = textModel(middleware({ format: withIds }), [written, written, 'Done.']);
    const { steps } = await generateText({ model, tools: { weather }, stopWhen: isStepCount(3), prompt: 'Hi' });
    expect(steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId))).toEqual(['functions.weather:0', 'id-1']);
    expect(JSON.stringify(prompts[2]?.prompt).split(JSON.stringify(written).slice(1, -1))).toHaveLength(3);
  });

  test('a generator that repeats itself still gives unique ids', async () => {
    const { toolCalls } = await batch(`${call('Oslo')}\n${call('Rome')}`, 'stop', { generateId: () => 'same' });
    expect(toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(['same', 'same-2']);
  });
});
