import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { qwenCodeReader } from './reader.js';

const record = (uuid: string, parentUuid: string | null, fields: object) => ({ uuid, parentUuid, sessionId: 's', timestamp: 't', cwd: '/srv', version: '0.24.0', ...fields });
const user = (uuid: string, parent: string | null, text: string, fields: object = {}) => record(uuid, parent, { type: 'user', message: { role: 'user', parts: [{ text }] }, ...fields });
const model = (uuid: string, parent: string | null, parts: object[], fields: object = {}) => record(uuid, parent, { type: 'assistant', model: 'q', message: { role: 'model', parts }, ...fields });
const result = (uuid: string, parent: string, id: string, output: string) => record(uuid, parent, { type: 'tool_result', message: { role: 'user', parts: [{ functionResponse: { id, name: 'f', response: { output } } }] }, toolCallResult: { resultDisplay: 'cut' } });
const told = (uuid: string, parent: string, id: string) => record(uuid, parent, { type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_response', response_id: id } } });
const counted = { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 } };
const text = (value: string) => ({ text: value });
const lines = (...records: object[]) => records.map((each) => `${JSON.stringify(each)}\n`).join('');
const read = (...records: object[]) => readOne(qwenCodeReader, lines(...records));

describe('chats of Qwen Code', () => {
  it('keep thoughts, texts and calls in order, and say what is not stored', async () => {
    const session = await read(user('u', null, 'q'), told('i', 'u', 'resp-0001-long-enough'), model('a', 'i', [{ text: 'hm', thought: true }, text('A'), { functionCall: { id: 't', name: 'f', args: { n: 1 } } }], counted), result('r', 'a', 't', 'out'), model('b', 'r', [text('B')], counted));
    expect(sampledOf(session, 'a')).toEqual(['<hm>', 'A', 'f({"n": 1})']);
    expect(callOf(session, 'a')).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, finishReason: 'tool-calls', prompt: { status: 'approximate', reasons: ['system-prompt-unknown', 'tools-unknown', 'reminders-not-stored'] } });
    expect(promptOf(session, 'b')).toEqual(['user: q', 'assistant: <hm> + A + f({"n": 1})', 'tool: out']);
  });
  it('join lines of one reply', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [{ text: 'hm', thought: true }]), model('b', 'a', [text('A')]));
    expect(session.calls).toHaveLength(1);
    expect(sampledOf(session, 'a')).toEqual(['<hm>', 'A']);
  });
  it('hold a reply that hit the limit and was tried again with the same prompt', async () => {
    const session = await read(user('u', null, 'q'), told('i', 'u', 'one'), model('a', 'i', [text('long'), { functionCall: { id: 't', name: 'f', args: { s: 'cu' } } }], counted), told('j', 'a', 'two'), model('b', 'j', [text('B')], counted), user('v', 'b', 'r'), model('c', 'v', [text('C')], counted));
    expect([promptOf(session, 'a'), promptOf(session, 'b'), promptOf(session, 'c')]).toEqual([['user: q'], ['user: q'], ['user: q', 'assistant: B', 'user: r']]);
    expect(callOf(session, 'a')).toMatchObject({ finishReason: 'length', loss: true, sampled: [{ exactness: 'bytes' }, { exactness: 'damaged' }] });
    expect(session.operations).toMatchObject([{ kind: 'retry', callId: 'b' }]);
  });
  it('hold a reply that the user stopped, which is not trained', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [text('A')], counted), user('v', 'a', 'r'), model('b', 'v', [text('B, and')]));
    expect(session.calls.map((call) => [call.finishReason, call.lossReason])).toEqual([['stop', undefined], ['aborted', 'aborted-reply']]);
  });
  it('go on from the compressed history', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [text('A')]), record('c', 'a', { type: 'system', subtype: 'chat_compression', systemPayload: { compressedHistory: [{ role: 'user', parts: [text('<state_snapshot>so far</state_snapshot>')] }, { role: 'model', parts: [text('Got it.')] }] } }), user('v', 'c', 'r'), model('b', 'v', [text('B')]));
    expect(promptOf(session, 'b')).toEqual(['user: <state_snapshot>so far</state_snapshot>', 'assistant: Got it.', 'user: r']);
    expect(callOf(session, 'b').parentId).toBeUndefined();
    expect(callOf(session, 'b').prompt.head?.parent?.message.parts[0]?.author).toBe('copied');
  });
  it('go back to a rewind\'s target', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [text('A')]), user('v', 'a', 'r'), model('b', 'v', [text('B')]), record('w', 'b', { type: 'system', subtype: 'rewind', systemPayload: { targetUuid: 'a' } }), user('x', 'w', 's'), model('c', 'x', [text('C')]));
    expect(promptOf(session, 'c')).toEqual(['user: q', 'assistant: A', 'user: s']);
  });
  it('of agents name the call that started them', async () => {
    const agent = { agentId: 'helper-call_9', agentName: 'helper', isSidechain: true };
    const session = await read(user('u', null, 'task', agent), model('a', 'u', [text('A')], agent));
    expect(session.id).toBe('s#helper-call_9');
    expect(callOf(session, 'a').agent).toEqual({ id: 'helper-call_9', toolCallId: 'call_9' });
  });
  it('know notices of the client from words of the user', async () => {
    const session = await read(user('u', null, 'q'), user('n', 'u', 'done', { subtype: 'notification' }), model('a', 'n', [text('A')]));
    expect(callOf(session, 'a').prompt.head?.message.parts[0]?.author).toBe('harness');
  });
  it('lose what stood behind a damaged record, and count a copied reply once', async () => {
    const session = await readOne(qwenCodeReader, `${lines(user('u', null, 'q'), model('a', 'u', [text('A')]))}{"uuid":"v","parentUuid":"a","type":"us\n${lines(model('b', 'v', [text('B')]))}`);
    expect(session.calls.map((call) => call.lossReason)).toEqual([undefined, 'prompt-incomplete']);
    const seen = new Set<string>();
    const first = [user('u', null, 'q'), told('i', 'u', 'response-0123456789'), model('a', 'i', [text('A')], counted)];
    await readAll(qwenCodeReader, memoryFile(lines(...first)), seen);
    expect((await readOne(qwenCodeReader, lines(...first, user('v', 'a', 'r'), model('b', 'v', [text('B')])), seen)).calls.map((call) => call.id)).toEqual(['b']);
  });
});
