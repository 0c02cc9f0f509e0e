import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne } from '../session.fixture.js';
import { messageHash } from './message-hash.js';
import { claudeCodeReader } from './reader.js';
import { call, lines, reply, result, text, thinking, user } from './record.fixture.js';

const blob = (message: { role: string; content: unknown }) => JSON.stringify({ type: 'api-request-blob', sessionId: 's1', hash: messageHash(message), message });
const shape = (hash: string, tools: unknown[] = []) => JSON.stringify({ type: 'api-request-shape', sessionId: 's1', shapeHash: hash, shape: { system: [text('You are'), text('an agent')], tools } });
const request = (id: string, fields: object) => JSON.stringify({ type: 'api-request', sessionId: 's1', id, shapeHash: 'h', keep: 0, ...fields });

const FIRST = { role: 'user', content: [text('<system-reminder>r</system-reminder>'), text('go')] };
const SYSTEM = { role: 'system', content: [text('tools')] };
const TOOL = '{"name":"Bash","description":"d","input_schema":{"n":1.0}}';
const OPENING = [user('u1', null, 'go'), shape('h', ['TOOL']).replace('"TOOL"', TOOL), blob(FIRST), blob(SYSTEM), request('q1', { tail: [messageHash(FIRST), messageHash(SYSTEM)] })];
// The wire has the blocks of a reply in another order than they were sampled.
const ECHO = { role: 'assistant', content: [thinking('t'), text('x'), text('y'), call('t1')] };
const REPLY = [thinking('t'), text('x'), call('t1'), text('y')].map((block, at) => reply(`a${at}`, at === 0 ? 'u1' : `a${at - 1}`, 'm1', block, { requestRef: 'q1' }));
const RESULT = user('u2', 'a2', [result('t1', 'out')]);
const NEXT = request('q2', { base: 'q1', keep: 2, tail: [messageHash(ECHO), messageHash({ role: 'user', content: [result('t1', 'out')] })] });
const LAST = reply('b1', 'u2', 'm2', text('done'), { requestRef: 'q2' });

describe('logged requests of Claude Code', () => {
  it('give exact prompts with the system prompt and the tools', async () => {
    const session = await readOne(claudeCodeReader, lines(...OPENING, ...REPLY, RESULT, blob(ECHO), NEXT, LAST));
    expect(session.calls.map((each) => each.prompt.status)).toEqual(['exact', 'exact']);
    expect(promptOf(session, 'm2')).toEqual(['system: You are\n\nan agent', 'user: <system-reminder>r</system-reminder> + go', 'system: tools', 'assistant: <t> + x + y + Bash({"command": "t1"})', 'tool: out']);
    expect(session.systemPrompt).toEqual({ status: 'known', value: 'You are\n\nan agent' });
    expect(session.tools).toMatchObject({ status: 'known', value: [{ name: 'Bash', source: '{"type": "function", "function": {"name": "Bash", "description": "d", "parameters": {"n": 1.0}}}' }] });
  });
  it('share nodes, and name the call that wrote an echoed reply', async () => {
    const session = await readOne(claudeCodeReader, lines(...OPENING, ...REPLY, RESULT, blob(ECHO), NEXT, LAST));
    const head = callOf(session, 'm2').prompt.head;
    expect(head?.parent?.message.callId).toBe('m1');
    expect(head?.parent?.parent).toBe(callOf(session, 'm1').prompt.head);
  });
  it('whose message is nowhere in the file leave the rebuilt prompt', async () => {
    const session = await readOne(claudeCodeReader, lines(...OPENING, ...REPLY, RESULT, NEXT, LAST));
    expect(session.calls.map((each) => each.prompt.status)).toEqual(['exact', 'reconstructed']);
  });
  it('whose blob is not what its hash says are not believed', async () => {
    const forged = blob(ECHO).replace('"x"', '"z"');
    const session = await readOne(claudeCodeReader, lines(...OPENING, ...REPLY, RESULT, forged, NEXT, LAST));
    expect(callOf(session, 'm2').prompt.status).toBe('reconstructed');
  });
  it('with other tools than the session has are approximate', async () => {
    // because a session has one list of tools, and ToolSearch adds some on the way
    const session = await readOne(claudeCodeReader, lines(...OPENING, ...REPLY, RESULT, blob(ECHO), shape('h2'), NEXT.replace('"h"', '"h2"'), LAST));
    expect(callOf(session, 'm2').prompt).toMatchObject({ status: 'approximate', reasons: ['tools-differ'] });
  });
});
