import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { messagesReader } from './reader.js';

const row = (messages: unknown, fields: object = {}): string => `${JSON.stringify({ messages, ...fields })}\n`;
const Q = { role: 'user', content: 'q' };
const A = { role: 'assistant', content: 'a' };
const called = (args: unknown) => ({ role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: args } }] });

describe('messages rows', () => {
  it('are sessions whose assistant messages are calls', async () => {
    const session = await readOne(messagesReader, row([{ role: 'developer', content: 's' }, Q, called('{"a":  1.0}'), { role: 'tool', tool_call_id: 'c1', content: 'r' }, A], { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] }));
    expect(session.calls.map((each) => [each.id, each.parentId, each.finishReason, each.prompt.status])).toEqual([['m2', undefined, 'tool-calls', 'exact'], ['m4', 'm2', 'stop', 'exact']]);
    expect(promptOf(session, 'm4')).toEqual(['system: s', 'user: q', 'assistant: f({"a":  1.0})', 'tool: r']);
    expect(session.systemPrompt).toEqual({ status: 'known', value: 's' });
    expect(session.tools).toMatchObject({ status: 'known', value: [{ name: 'f', source: '{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}' }] });
  });
  it('keep argument strings byte for byte, and argument objects by value', async () => {
    const asString = await readOne(messagesReader, row([Q, called('{"a":  1.0}')]));
    expect(callOf(asString, 'm1').sampled[0]).toMatchObject({ arguments: '{"a":  1.0}', exactness: 'bytes' });
    const asObject = await readOne(messagesReader, row([Q, called('OBJECT')]).replace('"OBJECT"', '{"10":1.0,"2":9223372036854775807}'));
    expect(callOf(asObject, 'm1').sampled[0]).toMatchObject({ arguments: '{"10": 1.0, "2": 9223372036854775807}', exactness: 're-rendered' });
  });
  it('without tools do not know them', async () => {
    const session = await readOne(messagesReader, row([Q, A]));
    expect(session.tools.status).toBe('unknown');
    expect(callOf(session, 'm1').prompt).toMatchObject({ status: 'reconstructed', reasons: ['tools-unknown'] });
  });
  it.each([['weight', 0], ['loss_weight', 0], ['loss', null], ['loss', false]])('with %s %s do not train the message', async (key, value) => {
    const session = await readOne(messagesReader, row([Q, { ...A, [key]: value }, Q, A]));
    expect(session.calls.map((each) => [each.loss, each.lossReason])).toEqual([[false, 'weight-zero'], [true, undefined]]);
  });
  it('carry a weight between', async () => {
    expect(callOf(await readOne(messagesReader, row([Q, { ...A, weight: 0.5 }])), 'm1')).toMatchObject({ loss: true, weight: 0.5 });
  });
  it.each(['reasoning_content', 'reasoning', 'thinking'])('read %s as reasoning before the text', async (key) => {
    expect(sampledOf(await readOne(messagesReader, row([Q, { ...A, [key]: 'hm' }])), 'm1')).toEqual(['<hm>', 'a']);
  });
  it('read lists of parts and the old function_call', async () => {
    const session = await readOne(messagesReader, row([{ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'image_url', image_url: {} }] }, { role: 'assistant', content: [{ type: 'text', text: 'y' }], function_call: { name: 'g', arguments: '{}' } }]));
    expect(promptOf(session, 'm1')).toEqual(['user: x + [image_url]']);
    expect(sampledOf(session, 'm1')).toEqual(['y', 'g({})']);
  });
  it('may hold their messages as a JSON string, or under trajectory', async () => {
    expect(sampledOf(await readOne(messagesReader, row(JSON.stringify([Q, A]))), 'm1')).toEqual(['a']);
    expect(sampledOf(await readOne(messagesReader, `${JSON.stringify({ trajectory_id: 't', trajectory: [Q, A], resolved: true })}\n`), 'm1')).toEqual(['a']);
  });
  it('that are bad are reported with their place, and the others go on', async () => {
    const first = row([Q, A]);
    const sessions = await readAll(messagesReader, memoryFile(`${first}{"messages": [{"role"\n{"x":1}\n${row([Q, A, Q, A])}`));
    expect(sessions.map((session) => session.calls.length)).toEqual([1, 2]);
    expect(sessions[1]?.diagnostics.map((item) => [item.code, item.line, item.byteOffset])).toEqual([['cut-record', 1, first.length], ['bad-row', 2, first.length + 22]]);
  });
  it('that hold a conversation again do not train it again', async () => {
    const sessions = await readAll(messagesReader, memoryFile(row([Q, A]) + row([Q, A, Q, A])));
    expect(sessions[1]?.calls.map((each) => each.lossReason)).toEqual(['copied-reply', undefined]);
  });
  it('in one document over many lines are read, and a bare list of messages is one row', async () => {
    expect((await readAll(messagesReader, memoryFile(JSON.stringify({ messages: [Q, A] }, null, 2)))).map((session) => session.calls.length)).toEqual([1]);
    expect((await readAll(messagesReader, memoryFile(JSON.stringify([{ messages: [Q, A] }, { messages: [Q, A, Q, A] }], null, 2)))).map((session) => session.calls.length)).toEqual([1, 2]);
    expect((await readAll(messagesReader, memoryFile(JSON.stringify([Q, A])))).map((session) => session.calls.length)).toEqual([1]);
  });
  it('with a lone surrogate in a reply are not trained', async () => {
    const session = await readOne(messagesReader, row([Q, { role: 'assistant', content: 'xSy' }]).replace('xSy', 'x\\ud83dy'));
    expect(callOf(session, 'm1')).toMatchObject({ loss: false, lossReason: 'not-encodable' });
  });
});

describe('conversations of ShareGPT and LLaMA-Factory', () => {
  const turn = (from: string, value: string, fields: object = {}) => ({ from, value, ...fields });
  it('name a speaker and a value, and write calls as text', async () => {
    const session = await readOne(messagesReader, `${JSON.stringify({ conversations: [turn('system', 's'), turn('human', 'q'), turn('function_call', '{"name":"f","arguments":{"a":1.0}}'), turn('observation', 'out'), turn('gpt', 'A')], tools: '[{"name":"f","parameters":{}}]' })}\n`);
    expect(promptOf(session, 'm4')).toEqual(['system: s', 'user: q', 'assistant: f({"a": 1.0})', 'tool: out']);
    expect(callOf(session, 'm2').sampled[0]).toMatchObject({ exactness: 're-rendered' });
    expect(session.tools.status).toBe('known');
  });
  it('with loss of null or false are not trained', async () => {
    expect((await readOne(messagesReader, JSON.stringify({ conversations: [turn('human', 'q'), turn('gpt', 'A', { loss: false })] }))).calls).toMatchObject([{ loss: false, lossReason: 'weight-zero' }]);
  });
  it('may have parts of a type and a value', async () => {
    const part = (type: string, value: string) => ({ type, value });
    const session = await readOne(messagesReader, row([{ role: 'user', content: [part('text', 'q')] }, { role: 'assistant', content: [part('reasoning', 'hm'), part('text', 'A'), part('tool_call', '{"name": "f", "arguments": {}}')], loss_weight: 1 }]));
    expect(sampledOf(session, 'm1')).toEqual(['<hm>', 'A', 'f({})']);
  });
  it('may have messages under conversations', async () => {
    expect(sampledOf(await readOne(messagesReader, JSON.stringify([{ conversations: [Q, A], agent: 'x' }])), 'm1')).toEqual(['a']);
  });
});
