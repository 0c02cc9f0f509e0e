import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { requestLogReader } from './reader.js';

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const chat = (id: string, message: object, finish = 'stop', fields: object = {}) => ({ id, model: 'm', choices: [{ message: { role: 'assistant', ...message }, finish_reason: finish, ...fields }], usage: { prompt_tokens: 5, completion_tokens: 2 } });
const Q = { role: 'user', content: 'q' };
const called = { content: null, tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":  1.0}' } }] };

describe('logs of requests', () => {
  it('to chat endpoints have exact prompts that share what they have in common', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const session = await readOne(requestLogReader, lines({ request: { messages: [Q], tools }, response: chat('r1', called, 'tool_calls') }, { request: { messages: [Q, { role: 'assistant', ...called }, { role: 'tool', tool_call_id: 't', content: 'out' }], tools }, response: chat('r2', { content: 'B' }, 'length') }));
    expect(session.calls.map((call) => [call.id, call.parentId, call.finishReason, call.prompt.status])).toEqual([['r1', undefined, 'tool-calls', 'exact'], ['r2', 'r1', 'length', 'exact']]);
    expect(sampledOf(session, 'r1')).toEqual(['f({"a":  1.0})']);
    expect(callOf(session, 'r2').prompt.head?.parent?.parent).toBe(callOf(session, 'r1').prompt.head);
    expect(session.tools).toMatchObject({ status: 'known', value: [{ name: 'f' }] });
  });
  it('find a reply that a client printed anew by the ids of its calls', async () => {
    const anew = { ...called, tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }] };
    const session = await readOne(requestLogReader, lines({ messages: [Q], response: chat('r1', { ...called, reasoning_content: 'hm' }) }, { messages: [Q, { role: 'assistant', ...anew }], response: chat('r2', { content: 'B' }) }));
    expect(callOf(session, 'r2').parentId).toBe('r1');
    expect(promptOf(session, 'r2')).toEqual(['user: q', 'assistant: f({"a":1})']);
  });
  it('to Anthropic endpoints have the system prompt, and block order', async () => {
    const session = await readOne(requestLogReader, JSON.stringify({ request: { model: 'c', system: [{ type: 'text', text: 'be' }], messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }], tools: [{ name: 'f', input_schema: { type: 'object' } }] }, response: { id: 'm1', type: 'message', content: [{ type: 'text', text: 'A' }, { type: 'thinking', thinking: 'hm' }, { type: 'tool_use', id: 't', name: 'f', input: { n: 'HERE' } }], stop_reason: 'tool_use', usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 3 } } }).replace('"HERE"', '1.0'));
    expect(promptOf(session, 'm1')).toEqual(['system: be', 'user: q']);
    expect(sampledOf(session, 'm1')).toEqual(['A', '<hm>', 'f({"n": 1.0})']);
    expect(callOf(session, 'm1')).toMatchObject({ usage: { inputTokens: 3, outputTokens: 3 }, finishReason: 'tool-calls', sampled: [{}, {}, { exactness: 're-rendered' }] });
  });
  it('hold streamed replies, whose pieces of arguments are the sampled string', async () => {
    const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
    const piece = (args: string, fields: object = {}) => data({ id: 's1', choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: args }, ...fields }] } }] });
    const session = await readOne(requestLogReader, JSON.stringify([{ scope: 'https://x', method: 'POST', path: '/v1/chat/completions', body: { messages: [Q] }, response: `${piece('', { id: 't', function: { name: 'f', arguments: '' } })}${piece('{"a": ')}${piece(' 1}')}${data({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] })}data: [DONE]\n` }]));
    expect(callOf(session, 's1')).toMatchObject({ sampled: [{ name: 'f', arguments: '{"a":  1}', exactness: 'bytes' }], finishReason: 'tool-calls' });
    const thinking = [data({ type: 'message_start', message: { id: 'a1', usage: { input_tokens: 1 } } }), data({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } }), data({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":  1}' } }), data({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } })].join('');
    const anthropic = await readOne(requestLogReader, lines({ request: { system: 'be', messages: [Q] }, response: thinking }));
    expect(callOf(anthropic, 'a1')).toMatchObject({ sampled: [{ arguments: '{"a":  1}', exactness: 'bytes' }], usage: { inputTokens: 1, outputTokens: 4 } });
  });
  it('prefer what went over the wire where tools are called in words', async () => {
    const session = await readOne(requestLogReader, JSON.stringify({ messages: [Q], response: chat('r', called), raw_messages: [{ role: 'user', content: 'q, with tools in words' }], raw_response: chat('r', { content: '<function=f>' }), tools: [] }, null, 1));
    expect([promptOf(session, 'r'), sampledOf(session, 'r')]).toEqual([['user: q, with tools in words'], ['<function=f>']]);
  });
  it('keep the token ids of a server', async () => {
    const session = await readOne(requestLogReader, lines({ messages: [Q], response: { ...chat('r', { content: 'A' }, 'stop', { token_ids: [3, 4], logprobs: { content: [{ logprob: -1 }, { logprob: -2 }] } }), prompt_token_ids: [1, 2] } }));
    expect(callOf(session, 'r').tokens).toEqual({ promptIds: [1, 2], outputIds: [3, 4], outputLogprobs: [-1, -2] });
  });
  it('of responses endpoints read items', async () => {
    const session = await readOne(requestLogReader, lines({ request: { model: 'm', instructions: 'be', input: 'q' }, response: { id: 'resp', output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] }], status: 'completed' } }));
    expect(promptOf(session, 'resp')).toEqual(['system: be', 'user: q']);
    expect(callOf(session, 'resp').finishReason).toBe('stop');
  });
  it('with a response only have a reply whose prompt nobody knows', async () => {
    const session = await readOne(requestLogReader, lines({ request: { messages: [Q] }, response: chat('r1', { content: 'A' }) }, { status: 200, response: chat('r2', { content: 'B' }) }));
    expect(session.calls.map((call) => [call.prompt.status, call.lossReason])).toEqual([['exact', undefined], ['unknown-prefix', 'prompt-incomplete']]);
  });
});
