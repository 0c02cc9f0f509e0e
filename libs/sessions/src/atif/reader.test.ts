import { describe, expect, it } from 'vitest';
import { callOf, memoryFile, promptOf, readAll, readOne, sampledOf } from '../session.fixture.js';
import { atifReader } from './reader.js';

const trajectory = (steps: object[], fields: object = {}) => JSON.stringify({ schema_version: 'ATIF-v1.6', session_id: 's', agent: { name: 'a', version: '1', model_name: 'm' }, steps: steps.map((step, index) => ({ step_id: index + 1, ...step })), ...fields });
const system = { source: 'system', message: 'be' };
const user = (message: unknown) => ({ source: 'user', message });
const agent = (message: string, fields: object = {}) => ({ source: 'agent', message, ...fields });

describe('ATIF trajectories', () => {
  it('have a call for each step of the agent, with number lexemes as they stand', async () => {
    const json = trajectory([system, user('q'), agent('A', { reasoning_content: 'hm', tool_calls: [{ tool_call_id: 'c', function_name: 'f', arguments: 'HERE' }], observation: { results: [{ source_call_id: 'c', content: 'out' }] }, metrics: { prompt_tokens: 5, completion_tokens: 2 } }), agent('B')]).replace('"HERE"', '{"10":1.0,"2":12345678901234567890}');
    const session = await readOne(atifReader, json);
    expect(sampledOf(session, 'step-3')).toEqual(['<hm>', 'A', 'f({"10": 1.0, "2": 12345678901234567890})']);
    expect(promptOf(session, 'step-4')).toEqual(['system: be', 'user: q', 'assistant: <hm> + A + f({"10": 1.0, "2": 12345678901234567890})', 'tool: out']);
    expect(callOf(session, 'step-3')).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, model: 'm', finishReason: 'tool-calls', prompt: { status: 'reconstructed', reasons: ['tools-unknown'] } });
  });
  it('keep recorded ids and log-probs, and then know the prompt', async () => {
    const metrics = { prompt_token_ids: [1, 2], completion_token_ids: [3, 4], logprobs: [-0.5, -0.25] };
    const session = await readOne(atifReader, trajectory([user('q'), agent('', { metrics }), agent('x', { metrics: { ...metrics, logprobs: [-1] } })]));
    expect(callOf(session, 'step-2')).toMatchObject({ loss: true, prompt: { status: 'exact' }, tokens: { promptIds: [1, 2], outputIds: [3, 4], outputLogprobs: [-0.5, -0.25] } });
    expect(callOf(session, 'step-3').tokens).toEqual({ promptIds: [1, 2], outputIds: [3, 4] });
    expect(session.diagnostics).toMatchObject([{ code: 'bad-tokens' }]);
  });
  it('do not train copied steps, steps without a model and merged ones', async () => {
    // because Arize-ai/phoenix#14975: copied context was counted twice
    const session = await readOne(atifReader, trajectory([user('q'), agent('old', { is_copied_context: true }), agent('note', { llm_call_count: 0 }), agent('two', { llm_call_count: 2 }), agent('A')]));
    expect(session.calls.map((call) => [call.id, call.loss, call.lossReason])).toEqual([['step-4', false, 'merged-calls'], ['step-5', true, undefined]]);
    expect(callOf(session, 'step-4').sampled[0]?.exactness).toBe('re-rendered');
    const authors = [];
    for (let node = callOf(session, 'step-4').prompt.head; node !== undefined; node = node.parent) authors.unshift(node.message.parts[0]?.author);
    expect(authors).toEqual(['user', 'copied', 'harness']);
  });
  it('show an observation of no call as what the harness said', async () => {
    const session = await readOne(atifReader, trajectory([user('q'), agent('{bad', { observation: { results: [{ content: 'no JSON' }] } }), agent('B')]));
    expect(promptOf(session, 'step-3')).toEqual(['user: q', 'assistant: {bad', 'user: no JSON']);
  });
  it('hold the trajectories of subagents, and say where they go on', async () => {
    const inner = JSON.parse(trajectory([user('task'), agent('done')], { trajectory_id: 'kid' })) as object;
    const sessions = await readAll(atifReader, memoryFile(trajectory([user('q'), agent('A', { observation: { results: [{ content: 'ok', subagent_trajectory_ref: [{ trajectory_id: 'kid' }] }] } })], { schema_version: 'ATIF-v1.7', trajectory_id: 'mum', subagent_trajectories: [inner], continued_trajectory_ref: 'b.json' })));
    expect(sessions.map((session) => [session.id, session.calls.length, session.calls[0]?.agent])).toEqual([['mum', 1, undefined], ['kid', 1, { id: 'kid' }]]);
    expect(sessions[0]?.operations.map((each) => each.kind)).toEqual(['subagent', 'continuation']);
  });
  it('with NaN are read, and cut ones as far as they go', async () => {
    const whole = trajectory([user('NaN'), agent('A', { extra: { x: 'HERE' } }), agent('B')]).replace('"HERE"', 'NaN');
    const session = await readOne(atifReader, whole);
    expect(promptOf(session, 'step-3')).toEqual(['user: NaN', 'assistant: A']);
    expect(session.diagnostics).toMatchObject([{ code: 'bare-number', byteOffset: whole.indexOf(':NaN}') + 1 }]);
    const cut = await readOne(atifReader, whole.replace(':NaN', ':1').slice(0, -20));
    expect(cut.calls.map((call) => call.id)).toEqual(['step-2']);
    expect(cut.diagnostics).toMatchObject([{ code: 'truncated-document' }]);
  });
});
