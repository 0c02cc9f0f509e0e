import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne } from '../session.fixture.js';
import { responsesReader } from './reader.js';

const says = (role: string, text: string, fields: object = {}) => ({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }], ...fields });
const called = (id: string, args: string, fields: object = {}) => ({ type: 'function_call', call_id: id, name: 'f', arguments: args, ...fields });
const output = (id: string, text: string) => ({ type: 'function_call_output', call_id: id, output: text });
const row = (items: object[], fields: object = {}, request: object = {}) => `${JSON.stringify({ responses_create_params: { input: [says('user', 'q')], tools: [{ type: 'function', name: 'f', parameters: {} }], ...request }, response: { output: items, model: 'm', usage: { input_tokens: 5, output_tokens: 2 } }, reward: 0.5, ...fields })}\n`;

describe('rollouts of NeMo Gym', () => {
  it('have a call for each run of items, with arguments as they were sampled', async () => {
    const session = await readOne(responsesReader, row([{ type: 'reasoning', summary: [], content: [{ text: 'hm' }] }, called('c', '{"a":  1}'), output('c', 'out'), says('assistant', 'done')], {}, { instructions: 'be' }));
    expect(promptOf(session, 'call-1')).toEqual(['system: be', 'user: q', 'assistant: <hm> + f({"a":  1})', 'tool: out']);
    expect(session).toMatchObject({ reward: 0.5, tools: { status: 'known', value: [{ name: 'f' }] }, systemPrompt: { status: 'known', value: 'be' } });
    expect(session.calls.map((call) => call.finishReason)).toEqual(['tool-calls', 'stop']);
  });
  it('keep the recorded tokens of a reply', async () => {
    const tokens = { prompt_token_ids: [1, 2], generation_token_ids: [3], generation_log_probs: [-0.5] };
    const session = await readOne(responsesReader, row([called('c', '{}', tokens), output('c', 'x'), says('assistant', 'y', { prompt_token_ids: [], generation_token_ids: [] })]));
    expect(session.calls.map((call) => call.tokens)).toEqual([{ promptIds: [1, 2], outputIds: [3], outputLogprobs: [-0.5] }, undefined]);
  });
  it('that are masked are not trained, and a copied one is counted once', async () => {
    const sessions = await readAll(responsesReader, memoryFile(row([says('assistant', 'a')], { mask_sample: true }) + row([says('assistant', 'b')]) + row([says('assistant', 'b')])));
    expect(sessions.map((session) => session.calls.map((call) => call.lossReason))).toEqual([['masked-sample'], [undefined], []]);
  });
});

describe('Responses items', () => {
  it('of a request are context, and those of its output are the reply', async () => {
    const session = await readOne(responsesReader, JSON.stringify({ input: [says('user', 'q'), says('assistant', 'old'), says('user', 'r')], output: [says('assistant', 'new')] }));
    expect(session.calls).toHaveLength(1);
    expect(callOf(session, 'call-0').prompt.head?.parent?.message.parts[0]?.author).toBe('copied');
  });
  it('in a bare list are a conversation whose replies are all its own', async () => {
    const session = await readOne(responsesReader, JSON.stringify([says('user', 'q'), says('assistant', 'a'), says('user', 'r'), called('c', '{}')]));
    expect(session.calls.map((call) => call.finishReason)).toEqual(['stop', 'tool-calls']);
  });
});
