import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne } from '../session.fixture.js';
import { sweAgentReader } from './reader.js';

const item = (role: string, content: string, fields: object = {}) => ({ role, content, agent: 'main', ...fields });
const step = (response: string, fields: object = {}) => ({ action: 'a', observation: 'o', response, thought: '', state: '{}', ...fields });
const file = (fields: object) => JSON.stringify({ environment: 'e', trajectory: [], history: [], info: {}, ...fields });

describe('trajectories of SWE-agent', () => {
  it('have demonstrations and words of the harness that nobody sampled', async () => {
    // because 229 of 448 public runs end in a reply that the harness wrote
    const session = await readOne(sweAgentReader, file({ history: [item('system', 's'), item('user', 'demo', { is_demo: true }), item('user', 'task'), item('assistant', 'A', { thought: '', action: 'a' }), item('user', 'out', { message_type: 'observation' }), item('assistant', 'Exit due to cost limit')] }));
    expect(session.calls).toHaveLength(1);
    expect(promptOf(session, 'call-0')).toEqual(['system: s', 'user: demo', 'user: task']);
    expect(callOf(session, 'call-0')).toMatchObject({ loss: true, prompt: { status: 'approximate' } });
    expect(callOf(session, 'call-0').prompt.head?.parent?.message.parts[0]?.author).toBe('demo');
  });
  it('of newer versions have the request of each step', async () => {
    const query = [item('system', 's'), item('user', 'task')];
    const session = await readOne(sweAgentReader, file({ trajectory: [step('A', { query }), step('B', { query: [...query, item('assistant', 'A'), item('user', 'cut')] }), step('Exit due to context window', { query })], history: [item('system', 'unused')] }));
    expect(session.calls.map((call) => [call.prompt.status, call.parentId])).toEqual([['exact', undefined], ['exact', 'call-0']]);
    expect(promptOf(session, 'call-1')).toEqual(['system: s', 'user: task', 'assistant: A', 'user: cut']);
    expect(callOf(session, 'call-1').prompt.head?.parent?.parent).toBe(callOf(session, 'call-0').prompt.head);
  });
  it('do not take `messages` for the request: they hold the reply itself', async () => {
    // because SWE-agent pull 1107
    const session = await readOne(sweAgentReader, file({ trajectory: [step('A', { messages: [item('user', 'task'), item('assistant', 'A')] })], history: [item('user', 'task'), item('assistant', 'A', { tool_calls: [{ id: 't', function: { name: 'f', arguments: '{"a":  1}' } }] }), item('tool', 'out', { tool_call_ids: ['t'] }), item('assistant', 'B')] }));
    expect(promptOf(session, 'call-0')).toEqual(['user: task']);
    expect(promptOf(session, 'call-1')).toEqual(['user: task', 'assistant: A + f({"a":  1})', 'tool: out']);
  });
  it('without a history have replies whose prompt is not known', async () => {
    expect((await readOne(sweAgentReader, file({ trajectory: [step('A')] }))).calls).toMatchObject([{ loss: false, lossReason: 'prompt-incomplete' }]);
    expect((await readOne(sweAgentReader, file({}))).diagnostics).toMatchObject([{ code: 'no-model-calls' }]);
  });
});
