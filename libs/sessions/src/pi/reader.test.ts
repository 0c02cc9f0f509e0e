import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { piReader } from './reader.js';

const HEADER = { type: 'session', version: 3, id: 's', timestamp: 't', cwd: '/srv' };
let at = 0;
const entry = (id: string, parentId: string | null, fields: object) => ({ id, parentId, timestamp: `t${at++}`, ...fields });
const says = (id: string, parentId: string | null, message: object) => entry(id, parentId, { type: 'message', message });
const user = (id: string, parentId: string | null, text: string) => says(id, parentId, { role: 'user', content: text });
const model = (id: string, parentId: string | null, content: object[], fields: object = {}) => says(id, parentId, { role: 'assistant', content, api: 'x', provider: 'p', model: 'm', stopReason: 'stop', ...fields });
const text = (value: string) => ({ type: 'text', text: value });
const read = (...records: object[]) => readOne(piReader, [HEADER, ...records].map((record) => `${JSON.stringify(record)}\n`).join(''));

describe('pi sessions', () => {
  it('keep blocks in order, argument lexemes and usage with what a cache gave', async () => {
    const json = [HEADER, user('u', null, 'q'), model('a', 'u', [{ type: 'thinking', thinking: 'hm' }, text('x'), { type: 'toolCall', id: 't', name: 'f', arguments: 'HERE' }], { stopReason: 'toolUse', usage: { input: 2, cacheRead: 3, output: 4 } })].map((record) => JSON.stringify(record)).join('\n').replace('"HERE"', '{"10":1.0,"2":2e3}');
    const session = await readOne(piReader, json);
    expect(sampledOf(session, 'a')).toEqual(['<hm>', 'x', 'f({"10": 1.0, "2": 2e3})']);
    expect(callOf(session, 'a')).toMatchObject({ finishReason: 'tool-calls', usage: { inputTokens: 5, outputTokens: 4 }, model: 'm', prompt: { status: 'reconstructed' } });
  });
  it('know the system prompt of newer files', async () => {
    const session = await read(says('s', null, { role: 'system', content: '', sections: { preamble: 'You are', tools: 'Tools' } }), user('u', 's', 'q'), model('a', 'u', [text('x')]));
    expect(promptOf(session, 'a')).toEqual(['system: You are\n\nTools', 'user: q']);
    expect(session.systemPrompt).toEqual({ status: 'known', value: 'You are\n\nTools' });
    expect(callOf(session, 'a').prompt.reasons).toEqual(['tools-unknown']);
  });
  it('branch: calls on several leaves share what they have in common', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [text('A')]), user('l', 'a', 'left'), user('r', 'a', 'right'), model('b', 'r', [text('R')]), model('c', 'l', [text('L')]));
    expect(session.calls.map((call) => [call.id, call.parentId, call.loss])).toEqual([['a', undefined, true], ['b', 'a', true], ['c', 'a', true]]);
    expect(callOf(session, 'b').prompt.head?.parent).toBe(callOf(session, 'c').prompt.head?.parent);
    expect(session.operations.map((each) => each.kind)).toEqual(['edit']);
  });
  it('after a compaction hold the summary and what was kept, of the own branch', async () => {
    // because cloudflare/agents pull 2120: the newest compaction on the path counts, not the newest of the file
    const session = await read(user('u', null, 'q'), model('a', 'u', [text('A')]), user('u2', 'a', 'q2'), model('a2', 'u2', [text('A2')]), entry('c', 'a2', { type: 'compaction', summary: 'so far', firstKeptEntryId: 'u2' }), user('u3', 'c', 'q3'), user('x', 'a2', 'other'), model('a3', 'u3', [text('A3')]), model('a4', 'x', [text('A4')]));
    expect(promptOf(session, 'a3')).toEqual(['user: so far', 'user: q2', 'assistant: A2', 'user: q3']);
    expect(promptOf(session, 'a4')).toEqual(['user: q', 'assistant: A', 'user: q2', 'assistant: A2', 'user: other']);
    expect(callOf(session, 'a3')).toMatchObject({ prompt: { status: 'approximate' } });
    expect(callOf(session, 'a3').parentId).toBeUndefined();
  });
  it('of the first version have no ids and count kept entries by line', async () => {
    const { version, ...header } = HEADER;
    expect(version).toBe(3);
    const bare = (message: object) => ({ type: 'message', timestamp: 't', message });
    const session = await readOne(piReader, [header, bare({ role: 'user', content: 'q' }), bare({ role: 'assistant', content: [text('A')] }), { type: 'compaction', summary: 'S', firstKeptEntryIndex: 2 }, bare({ role: 'user', content: 'r' }), bare({ role: 'assistant', content: [text('B')] })].map((record) => JSON.stringify(record)).join('\n'));
    expect(promptOf(session, 'call-1')).toEqual(['user: S', 'assistant: A', 'user: r']);
  });
  it('do not train or resend what was cut, and skip requests that gave nothing', async () => {
    const session = await read(user('u', null, 'q'), model('e', 'u', [], { stopReason: 'error' }), entry('x', 'e', { type: 'context_edit', targetId: 'e', replacement: null }), model('b', 'x', [text('par')], { stopReason: 'aborted' }), model('c', 'b', [text('whole')]));
    expect(session.calls.map((call) => [call.id, call.lossReason])).toEqual([['b', 'aborted-reply'], ['c', undefined]]);
    expect(promptOf(session, 'c')).toEqual(['user: q']);
    expect(session.operations).toMatchObject([{ kind: 'retry' }]);
  });
  it('answer lost calls as the client does', async () => {
    const session = await read(user('u', null, 'q'), model('a', 'u', [{ type: 'toolCall', id: 't', name: 'f', arguments: {} }], { stopReason: 'toolUse' }), user('v', 'a', 'go on'), model('b', 'v', [text('B')]));
    expect(promptOf(session, 'b')).toEqual(['user: q', 'assistant: f({})', 'tool: No result provided', 'user: go on']);
  });
  it('leave out what the user kept from the model', async () => {
    const session = await read(says('x', null, { role: 'bashExecution', command: 'ls', output: 'o', excludeFromContext: true }), user('u', 'x', 'q'), model('a', 'u', [text('A')]));
    expect(promptOf(session, 'a')).toEqual(['user: q']);
  });
  it('whose parent is not there have an unknown prompt', async () => {
    const session = await read(user('u', 'gone', 'q'), model('a', 'u', [text('A')]));
    expect(callOf(session, 'a')).toMatchObject({ lossReason: 'prompt-incomplete', prompt: { status: 'unknown-prefix' } });
    expect(session.diagnostics).toMatchObject([{ code: 'missing-parent', line: 1 }]);
  });
});
