import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { miniSweAgentReader } from './reader.js';

const run = (...messages: object[]) => JSON.stringify({ info: { exit_status: 'Submitted' }, messages, trajectory_format: 'mini-swe-agent-1' });
const say = (role: string, content: unknown, fields: object = {}) => ({ role, content, ...fields });
const START = [say('system', 'be'), say('user', 'task')];

describe('runs of mini-swe-agent', () => {
  it('have exact prompts, and keep replies that were answered with an error', async () => {
    // because SWE-agent/mini-swe-agent#737: a reply with no action or two is still what the model wrote
    const session = await readOne(miniSweAgentReader, run(...START, say('assistant', 'no action'), say('user', 'Give one action.'), say('assistant', 'ok')));
    expect(session.calls.map((call) => [call.loss, call.prompt.status, call.finishReason])).toEqual([[true, 'exact', 'stop'], [true, 'exact', 'stop']]);
    expect(promptOf(session, 'call-1')).toEqual(['system: be', 'user: task', 'assistant: no action', 'user: Give one action.']);
    expect(callOf(session, 'call-1').prompt.head?.message.parts[0]?.author).toBe('tool');
    expect(session.systemPrompt).toEqual({ status: 'known', value: 'be' });
  });
  it('have reasoning and usage from the raw response, which is not sent back', async () => {
    const response = { model: 'm', choices: [{ finish_reason: 'length', message: { content: 'A', reasoning_content: 'hm' } }], usage: { prompt_tokens: 5, completion_tokens: 2 } };
    const session = await readOne(miniSweAgentReader, run(...START, say('assistant', 'A', { extra: { response } }), say('user', 'out'), say('assistant', 'B')));
    expect(sampledOf(session, 'call-0')).toEqual(['<hm>', 'A']);
    expect(callOf(session, 'call-0')).toMatchObject({ finishReason: 'length', usage: { inputTokens: 5, outputTokens: 2 }, model: 'm' });
    expect(promptOf(session, 'call-1')[2]).toBe('assistant: A');
  });
  it('of the second version call tools, end with an exit, and keep a rejected reply beside its error', async () => {
    const called = { content: null, tool_calls: [{ id: 't', type: 'function', function: { name: 'bash', arguments: '{"command":  "ls"}' } }] };
    const session = await readOne(miniSweAgentReader, run(...START, say('user', 'Bad action.', { extra: { response: { choices: [{ message: { role: 'assistant', content: 'hm?' } }] } } }), { role: 'assistant', ...called }, say('tool', 'out', { tool_call_id: 't' }), say('exit', 'done')));
    expect(session.calls).toHaveLength(2);
    expect(promptOf(session, 'call-1')).toEqual(['system: be', 'user: task', 'user: Bad action.']);
    expect(callOf(session, 'call-1')).toMatchObject({ sampled: [{ arguments: '{"command":  "ls"}', exactness: 'bytes' }], prompt: { status: 'reconstructed' } });
  });
  it('may hold whole responses as messages', async () => {
    const session = await readOne(miniSweAgentReader, run(...START, { object: 'response', output: [{ type: 'reasoning', summary: [{ text: 'in short' }] }, { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{}' }], usage: { input_tokens: 1, output_tokens: 1 } }));
    expect(callOf(session, 'call-0').sampled.map((part) => part.exactness)).toEqual(['summary-only', 'bytes']);
  });
});
