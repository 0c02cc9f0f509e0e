import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne } from '../session.fixture.js';
import { claudeCodeReader } from './reader.js';
import { call, lines, other, reply, result, text, user } from './record.fixture.js';

const read = (...records: string[]) => readOne(claudeCodeReader, lines(...records));
const SIDE = { isSidechain: true };

describe('subagents of Claude Code', () => {
  it('inline: are agents of their own, linked by the prompt that they were given', async () => {
    // because splicing them into the main dialogue invents a conversation
    const session = await read(
      user('u1', null, 'delegate'),
      reply('a1', 'u1', 'm1', call('t1', 'Task', { prompt: 'sub one' })),
      reply('a2', 'a1', 'm1', call('t2', 'Task', { prompt: 'sub two' })),
      user('y1', null, 'sub two', SIDE),
      user('x1', null, 'sub one', SIDE),
      reply('y2', 'y1', 's2', text('two'), SIDE),
      reply('x2', 'x1', 's1', text('one'), SIDE),
      user('u2', 'a1', [result('t1', 'one')]),
      user('u3', 'a2', [result('t2', 'two')]),
      reply('a3', 'u3', 'm2', text('both')),
    );
    expect(promptOf(session, 's1')).toEqual(['user: sub one']);
    expect(callOf(session, 's1').agent).toEqual({ id: 'x1', parentCallId: 'm1', toolCallId: 't1' });
    expect(callOf(session, 's2').agent).toEqual({ id: 'y1', parentCallId: 'm1', toolCallId: 't2' });
    expect(callOf(session, 's1').prompt.head?.message.parts[0]?.author).toBe('other-agent');
    expect(promptOf(session, 'm2')).toHaveLength(4);
    expect(session.operations.map((each) => each.kind)).toEqual(['subagent', 'subagent']);
  });
  it('agent_progress: each message counts once, cumulative copies never', async () => {
    const progress = (uuid: string, parent: string, message: unknown) => other(uuid, parent, 'progress', { parentToolUseID: 't1', data: { type: 'agent_progress', agentId: 'g1', message, normalizedMessages: [message, message] } });
    const task = { type: 'user', uuid: 'i1', message: { role: 'user', content: [text('sub')] } };
    const said = { type: 'assistant', uuid: 'i2', message: { id: 's1', model: 'small', role: 'assistant', content: [call('t9')] } };
    const out = { type: 'user', uuid: 'i3', message: { role: 'user', content: [result('t9', 'out')] } };
    const end = { type: 'assistant', uuid: 'i4', message: { id: 's2', model: 'small', role: 'assistant', content: [text('done')] } };
    const session = await read(
      user('u1', null, 'go'),
      reply('a1', 'u1', 'm1', call('t1', 'Task', { prompt: 'sub' })),
      progress('p1', 'a1', task), progress('p2', 'p1', said), progress('p3', 'p2', said), progress('p4', 'p3', out), progress('p5', 'p4', end),
      user('u2', 'p5', [result('t1', 'done')]),
      reply('a2', 'u2', 'm2', text('ok')),
    );
    expect(session.calls.map((each) => each.id)).toEqual(['m1', 's1', 's2', 'm2']);
    expect(promptOf(session, 's2')).toEqual(['user: sub', 'assistant: Bash({"command": "t9"})', 'tool: out']);
    expect(callOf(session, 's2').agent).toEqual({ id: 'g1', parentCallId: 'm1', toolCallId: 't1' });
    expect(promptOf(session, 'm2')).toEqual(['user: go', 'assistant: Task({"prompt": "sub"})', 'tool: done']);
  });
  it('own file: the session is named after the agent', async () => {
    const fields = { ...SIDE, agentId: 'g1' };
    const session = await read(user('u1', null, 'sub', fields), reply('a1', 'u1', 's1', text('A'), fields));
    expect(session.id).toBe('s1#g1');
    expect(callOf(session, 's1').agent).toEqual({ id: 'g1' });
  });
  it('own file with a copied beginning: copies are context', async () => {
    const fields = { ...SIDE, agentId: 'g1' };
    const copied = { ...fields, forkedFrom: { sessionId: 's1', messageUuid: 'x' } };
    const session = await read(user('u1', null, 'a', copied), reply('a1', 'u1', 'm1', text('A'), copied), user('u2', 'a1', 'task', fields), reply('a2', 'u2', 's1', text('B'), fields));
    expect(session.calls.map((each) => each.id)).toEqual(['s1']);
    expect(promptOf(session, 's1')).toEqual(['user: a', 'assistant: A', 'user: task']);
  });
  it('own file whose first parent is elsewhere: the prefix is unknown', async () => {
    const fields = { ...SIDE, agentId: 'g1' };
    const session = await read(user('u1', 'gone', 'task', fields), reply('a1', 'u1', 's1', text('A'), fields));
    expect(callOf(session, 's1').prompt).toMatchObject({ status: 'unknown-prefix', reasons: ['missing-parent', 'system-prompt-unknown', 'tools-unknown'] });
  });
});
