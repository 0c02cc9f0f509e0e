import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { geminiCliReader } from './reader.js';

const HEADER = { sessionId: 's', projectHash: 'h', startTime: 't', kind: 'main' };
const user = (id: string, text: string) => ({ id, type: 'user', timestamp: 't', content: [{ text }] });
const model = (id: string, content: unknown, fields: object = {}) => ({ id, type: 'gemini', timestamp: 't', content, model: 'm', ...fields });
const called = (id: string, result: string) => ({ toolCalls: [{ id, name: 'ls', args: { n: 1 }, result: [{ functionResponse: { id, name: 'ls', response: { output: result } } }] }] });
const log = (...records: object[]) => [HEADER, ...records].map((record) => `${JSON.stringify(record)}\n`).join('');
const chat = (...messages: object[]) => JSON.stringify({ ...HEADER, messages }, null, 1);

describe('the patch log of Gemini CLI', () => {
  it('keeps the last writing of a message at its first place', async () => {
    // because spool#404: the same id is appended on every change
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', 'par'), user('v', 'r'), model('a', 'part', called('t', 'out')), { $set: { lastUpdated: 'x' } }, model('b', 'B')));
    expect(sampledOf(session, 'a')).toEqual(['part', 'ls({"n": 1})']);
    expect(promptOf(session, 'b')).toEqual(['user: q', 'assistant: part + ls({"n": 1})', 'tool: out', 'user: r']);
    expect(callOf(session, 'a').finishReason).toBe('tool-calls');
  });
  it('rewinds to before the named message and keeps what was there as a branch', async () => {
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', 'A'), user('v', 'r'), model('b', 'B'), { $rewindTo: 'v' }, user('w', 's'), model('c', 'C')));
    expect(session.calls.map((call) => [call.id, call.parentId, call.loss])).toEqual([['a', undefined, true], ['b', 'a', true], ['c', 'a', true]]);
    expect(promptOf(session, 'c')).toEqual(['user: q', 'assistant: A', 'user: s']);
    expect(session.operations).toMatchObject([{ kind: 'rewind', callId: 'c' }]);
  });
  it('is cleared by a rewind to a message that is not there', async () => {
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', 'A'), { $rewindTo: 'x' }, user('w', 's'), model('c', 'C')));
    expect(promptOf(session, 'c')).toEqual(['user: s']);
  });
  it('counts a reply once when the history is written anew, and calls later prompts approximate', async () => {
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', ' A ', { thoughts: [{ subject: 'S', description: 'D' }] }), HEADER, { $set: { messages: [user('u', 'q'), model('a', [{ text: 'S', thought: true }, { text: 'A' }])] } }, user('v', 'r'), model('b', 'B')));
    expect(session.calls.map((call) => call.id)).toEqual(['a', 'b']);
    expect(callOf(session, 'a').sampled).toMatchObject([{ kind: 'reasoning', text: 'S\nD', exactness: 'summary-only' }, { text: ' A ', exactness: 'bytes' }]);
    expect(promptOf(session, 'b')).toEqual(['user: q', 'assistant: A', 'user: r']);
    expect(callOf(session, 'b')).toMatchObject({ parentId: 'a', prompt: { status: 'approximate' } });
  });
  it('knows that a reply ended when the turn went on, and not when the client was started again', async () => {
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', 'A'), user('v', 'r'), model('b', 'B'), HEADER, user('w', 's'), model('c', 'C')));
    expect(session.calls.map((call) => call.finishReason)).toEqual(['stop', 'unknown', 'unknown']);
  });
  it('has results once, wherever they are stored', async () => {
    const results = { id: 'r', type: 'user', content: [{ functionResponse: { id: 't', name: 'ls', response: { output: 'out' } } }] };
    const session = await readOne(geminiCliReader, log(user('u', 'q'), model('a', '', called('t', 'out')), results, { ...results, id: 'again' }, model('b', 'B')));
    expect(promptOf(session, 'b')).toEqual(['user: q', 'assistant: ls({"n": 1})', 'tool: out']);
  });
  it('loses only what depends on a damaged record', async () => {
    const session = await readOne(geminiCliReader, `${log(user('u', 'q'), model('a', 'A'))}{"id":"v","type":"us\n${JSON.stringify(model('b', 'B'))}\n`);
    expect(session.calls.map((call) => call.lossReason)).toEqual([undefined, 'prompt-incomplete']);
  });
});

describe('the document of Gemini CLI', () => {
  it('is a chat of one list, in which notices are no prompt', async () => {
    const json = chat(user('u', 'q'), { id: 'i', type: 'info', content: 'note' }, model('a', 'A', { tokens: { input: 5, output: 2 } }));
    const session = await readOne(geminiCliReader, json);
    expect(promptOf(session, 'a')).toEqual(['user: q']);
    expect(callOf(session, 'a')).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, position: { byteOffset: json.search(/\{\s*"id": "a"/) } });
  });
  it('keeps what stands before a cut', async () => {
    const whole = chat(user('u', 'q'), model('a', 'A'), user('v', 'r'), model('b', 'B'));
    const session = await readOne(geminiCliReader, whole.slice(0, whole.indexOf('"B"')));
    expect(session.calls.map((call) => [call.id, call.loss])).toEqual([['a', true]]);
    expect(session.diagnostics).toMatchObject([{ code: 'truncated-document' }]);
  });
  it('may be a checkpoint without ids', async () => {
    const session = await readOne(geminiCliReader, JSON.stringify([{ role: 'user', parts: [{ text: 'q' }] }, { role: 'model', parts: [{ text: 'A' }, { functionCall: { name: 'f', args: { x: 1.5 } } }] }, { role: 'user', parts: [{ functionResponse: { name: 'f', response: { a: 1, b: [2] } } }] }, { role: 'model', parts: [{ text: 'B' }] }]));
    expect(promptOf(session, 'call-1')).toEqual(['user: q', 'assistant: A + f({"x": 1.5})', 'tool: {"a": 1, "b": [2]}']);
  });
  it('that holds a chat again trains it no second time', async () => {
    const seen = new Set<string>();
    await readAll(geminiCliReader, memoryFile(chat(user('u', 'q'), model('a-long-enough-id-1', 'A'))), seen);
    const again = await readOne(geminiCliReader, chat(user('u', 'q'), model('a-long-enough-id-1', 'A'), user('v', 'r'), model('b', 'B')), seen);
    expect(again.calls.map((call) => call.id)).toEqual(['b']);
  });
});
