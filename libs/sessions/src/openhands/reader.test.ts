import { describe, expect, it } from 'vitest';
import { callOf, promptOf, readOne, sampledOf } from '../session.fixture.js';
import { openHandsReader } from './reader.js';

const lines = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const response = (id: string, ...calls: string[]) => ({ id, model: 'm', choices: [{ finish_reason: 'tool_calls', message: { role: 'assistant', content: 'T', tool_calls: calls.map((call) => ({ id: call, type: 'function', function: { name: 'run', arguments: '{"a":  1}' } })) } }], usage: { prompt_tokens: 5, completion_tokens: 2 } });
const ask = { id: 1, source: 'user', action: 'message', message: 'q', args: { content: 'q' } };

describe('OpenHands V0', () => {
  const acted = (id: number, call: string, reply: object) => ({ id, source: 'agent', action: 'run', message: 'Running', args: {}, tool_call_metadata: { tool_call_id: call, model_response: reply } });
  const seen = (id: number, call: string, content: string, reply: object) => ({ id, source: 'agent', observation: 'run', message: 'ran', content, tool_call_metadata: { tool_call_id: call, model_response: reply } });
  it('copies a reply onto every event of it, which is one call with its text once', async () => {
    const one = response('r1', 'a', 'b');
    const system = { id: 0, source: 'agent', action: 'system', message: 's', args: { content: 's', tools: [{ type: 'function', function: { name: 'run' } }] } };
    const session = await readOne(openHandsReader, JSON.stringify([system, ask, { id: 2, source: 'user', action: 'recall', message: 'r', args: {} }, acted(3, 'a', one), seen(4, 'a', 'x', one), acted(5, 'b', one), seen(6, 'b', 'y', one), { id: 7, source: 'agent', action: 'message', message: 'done', args: { content: 'done' } }], null, 1));
    expect(session.calls.map((call) => call.id)).toEqual(['r1', 'event-7']);
    expect(sampledOf(session, 'r1')).toEqual(['T', 'run({"a":  1})', 'run({"a":  1})']);
    expect(promptOf(session, 'event-7')).toEqual(['system: s', 'user: q', 'assistant: T + run({"a":  1}) + run({"a":  1})', 'tool: x', 'tool: y']);
    expect(session.tools.status).toBe('known');
    expect(callOf(session, 'r1').prompt).toMatchObject({ status: 'approximate' });
  });
  it('rows of output.jsonl hold such lists, or pairs', async () => {
    const one = response('r1', 'a');
    const session = await readOne(openHandsReader, lines({ instance_id: 'i', history: [[ask, {}], [acted(3, 'a', one), seen(4, 'a', 'x', one)]], test_result: { report: { resolved: true } } }));
    expect(session).toMatchObject({ id: 'i', reward: 1, calls: [{ id: 'r1', loss: true }] });
  });
  it('after a condensation knows only how the prompt begins', async () => {
    const session = await readOne(openHandsReader, lines(ask, { id: 2, source: 'agent', action: 'condensation', message: '', args: { forgotten_event_ids: [1], summary: 'so far' } }, acted(3, 'a', response('r1', 'a'))));
    expect(promptOf(session, 'r1')).toEqual(['user: so far']);
    expect(callOf(session, 'r1').prompt.status).toBe('unknown-prefix');
    expect(session.operations).toMatchObject([{ kind: 'compaction', callId: 'r1' }]);
  });
});

describe('the OpenHands SDK', () => {
  const event = (kind: string, id: string, fields: object) => ({ id, kind, source: 'agent', ...fields });
  const text = (value: string) => [{ type: 'text', text: value }];
  const action = (id: string, reply: string, call: string, thought: object[] = []) => event('ActionEvent', id, { thought, llm_response_id: reply, tool_name: 'run', tool_call_id: call, tool_call: { id: call, name: 'run', arguments: '{"a":  1}' } });
  const observed = (id: string, call: string, value: string) => event('ObservationEvent', id, { source: 'environment', tool_call_id: call, observation: { content: text(value) } });
  const start = [event('SystemPromptEvent', 's', { system_prompt: { text: 'be' }, tools: [{ type: 'function', function: { name: 'run' } }] }), event('MessageEvent', 'u', { source: 'user', llm_message: { role: 'user', content: text('q') } })];
  it('has actions of one response, of which the first has the thought', async () => {
    const session = await readOne(openHandsReader, lines(...start, action('a', 'r1', 'c1', text('T')), action('b', 'r1', 'c2'), observed('o', 'c1', 'x'), observed('p', 'c2', 'y'), event('MessageEvent', 'm', { llm_response_id: 'r2', llm_message: { role: 'assistant', content: text('done') } })));
    expect(sampledOf(session, 'r1')).toEqual(['T', 'run({"a":  1})', 'run({"a":  1})']);
    expect(promptOf(session, 'r2')).toEqual(['system: be', 'user: q', 'assistant: T + run({"a":  1}) + run({"a":  1})', 'tool: x', 'tool: y']);
    expect(session.calls.map((call) => [call.finishReason, call.prompt.status, call.prompt.reasons])).toEqual([['tool-calls', 'reconstructed', []], ['stop', 'reconstructed', []]]);
  });
  it('has token ids of a reply, which then win', async () => {
    const session = await readOne(openHandsReader, lines(...start, event('TokenEvent', 't', { prompt_token_ids: [1, 2], response_token_ids: [3] }), action('a', 'r1', 'c1'), observed('o', 'c1', 'x')));
    expect(callOf(session, 'r1')).toMatchObject({ tokens: { promptIds: [1, 2], outputIds: [3] }, prompt: { status: 'exact' } });
  });
  it('forgets the events that a condensation names and puts the summary in their place', async () => {
    // because OpenHands/software-agent-sdk#753: n condensations make n + 1 conversations
    const session = await readOne(openHandsReader, lines(...start, action('a', 'r1', 'c1'), observed('o', 'c1', 'x'), action('b', 'r2', 'c2'), observed('p', 'c2', 'y'), event('Condensation', 'k', { forgotten_event_ids: ['a', 'o'], summary: 'so far', summary_offset: 2 }), action('c', 'r3', 'c3')));
    expect(promptOf(session, 'r3')).toEqual(['system: be', 'user: q', 'user: so far', 'assistant: run({"a":  1})', 'tool: y']);
    expect(callOf(session, 'r3').parentId).toBeUndefined();
  });
});
