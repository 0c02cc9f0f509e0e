import { describe, expect, test } from 'vitest';
import { agentLoopOutput, assembleSamples, batchOf, columnsOf, createTurnRecorder, lossless, outputOfSample, padRow, queueRows, toTensors, type AgentLoopFields } from '../index.js';

const fields = { promptIds: [5, 6], responseIds: [7, 8], responseMask: [1, 0] };
const output = (more: Partial<AgentLoopFields> = {}) => agentLoopOutput({ ...fields, ...more });
const int64 = (...data: number[]) => ({ dtype: 'int64', shape: [data.length], data });

describe('toTensors', () => {
  test('has what was given and no defaults', () => {
    expect(toTensors(output())).toEqual({ metrics: {}, prompts: int64(5, 6), responses: int64(7, 8), response_mask: int64(1, 0), extra_fields: {} });
  });

  test('extra fields that a loop fills later survive, the teacher is lifted, and the output is not changed', () => {
    const filled = output();
    Object.assign(filled.extraFields, { teacher_ids: [1], teacher_logprobs: null, step: 3 });
    const [first, second] = [toTensors(filled), toTensors(filled)];
    expect(first).toMatchObject({ extra_fields: { step: 3 }, teacher_ids: [1] });
    expect(first).not.toHaveProperty('teacher_logprobs');
    expect(second).toEqual(first);
    expect(filled.extraFields).toEqual({ teacher_ids: [1], teacher_logprobs: null, step: 3 });
  });

  test('nothing nested is shared, whether the extra fields were given or filled later', () => {
    for (const given of [output({ extraFields: { a: { b: [1] } } }), output()]) {
      Object.assign(given.extraFields, { a: { b: [1] } });
      const copy = toTensors(given)['extra_fields'] as { a: { b: number[] } };
      copy.a.b.push(2);
      expect(given.extraFields).toEqual({ a: { b: [1] } });
    }
  });

  test('the reward stands on the last token, also when it is 0 or the token is masked', () => {
    expect(toTensors(output({ rewardScore: -1 }))['rm_scores']).toEqual({ dtype: 'float32', shape: [2], data: [0, -1] });
    expect(toTensors(output({ rewardScore: 0 }))).toHaveProperty('rm_scores');
  });

  test.each([
    ['length-mismatch', { responseMask: [1] }],
    ['length-mismatch', { responseLogprobs: [-1] }],
    ['cannot-express', { responseIds: [], responseMask: [], rewardScore: 1 }],
  ])('%s where verl would lose or invent something', (code, more) => {
    expect(() => toTensors(output(more))).toThrow(expect.objectContaining({ code }));
  });

  test('an id that is no integer is refused', () => {
    expect(() => output({ promptIds: [1.5] })).toThrow(expect.objectContaining({ code: 'bad-contract' }));
  });
});

describe('padding', () => {
  const options = { promptLength: 3, responseLength: 4, padTokenId: 9 };

  test('goes left of the prompt and right of the response, with positions that stop', () => {
    const row = padRow(output({ responseLogprobs: [-0.5, 0] }), options);
    expect([row.inputIds.data, row.attentionMask.data, row.positionIds.data, row.responseMask.data, row.responseLogprobs?.data]).toEqual([
      [9, 5, 6, 7, 8, 9, 9], [0, 1, 1, 1, 1, 0, 0], [0, 0, 1, 2, 3, 3, 3], [1, 0, 0, 0], [-0.5, 0, 0, 0],
    ]);
  });

  test('routed experts stand at the tokens that they belong to', () => {
    const routedExperts = { dtype: 'int16', shape: [3, 1, 2], data: [1, 2, 3, 4, 5, 6] } as const;
    expect(padRow(output({ routedExperts }), options).routedExperts).toEqual({ dtype: 'int16', shape: [1, 7, 1, 2], data: [0, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0] });
  });

  test('the teacher\'s data go over prompt and response, lifted out of the extra fields', () => {
    const extraFields = { teacher_ids: [[1, 2], [3, 4], [5, 6], [7, 8]], teacher_logprobs: [[-1, -2], [-1, -2], [-1, -2], [-3, -4]], step: 1 };
    const given = output({ extraFields });
    const row = padRow(given, options);
    expect(row.teacherIds).toEqual({ dtype: 'int64', shape: [1, 7, 2], data: [9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9] });
    expect(row.teacherLogprobs).toEqual({ dtype: 'float32', shape: [1, 7, 2], data: [0, 0, -1, -2, -1, -2, -1, -2, -3, -4, 0, 0, 0, 0] });
    expect(row.extraFields).toEqual({ step: 1, raw_prompt: [] });
    expect(given.extraFields).toEqual(extraFields);
    expect(batchOf([row, row]).tensors['teacher_ids']?.shape).toEqual([2, 7, 2]);
  });

  test.each([
    ['length-mismatch', { teacher_ids: [[1]], teacher_logprobs: [[-1]] }],
    ['bad-contract', { teacher_ids: [[1], [1, 2], [1], [1]], teacher_logprobs: [[-1], [-1], [-1], [-1]] }],
    ['bad-contract', { teacher_ids: 'x', teacher_logprobs: [[-1], [-1], [-1], [-1]] }],
  ])('%s for teacher data that do not fit', (code, extraFields) => {
    expect(() => padRow(output({ extraFields }), options)).toThrow(expect.objectContaining({ code }));
  });

  test('half of the teacher\'s data is none', () => {
    expect(padRow(output({ extraFields: { teacher_ids: [1, 2, 3, 4], teacher_logprobs: null } }), options)).not.toHaveProperty('teacherIds');
  });

  test('a response that is too long is refused, not cut', () => {
    expect(() => padRow(output(), { promptLength: 3, responseLength: 1 })).toThrow(expect.objectContaining({ code: 'length-mismatch' }));
  });
});

describe('a batch', () => {
  const padded = (more: Partial<AgentLoopFields> = {}) => padRow(output(more), { promptLength: 2, responseLength: 3 });

  test('has the object columns of every row, null where a row has none', () => {
    const { objects } = batchOf([padded({ extraFields: { reward_extra_info: { correct: 1 } } }), padded({ extraFields: { reward_extra_info: { guess: 'x' } } })]);
    expect([objects['correct'], objects['guess']]).toEqual([[1, null], [null, 'x']]);
  });

  test('scores stand on the last response token before the padding', () => {
    expect(batchOf([padded({ rewardScore: 1 }), padded({ rewardScore: 2 })]).tensors['rm_scores']).toEqual({ dtype: 'float32', shape: [2, 3], data: [0, 1, 0, 0, 2, 0] });
  });

  test.each([['a score', { rewardScore: 1 }], ['log-probs', { responseLogprobs: [-1, -1] }]])('rows with and without %s are refused', (_what, more) => {
    for (const rows of [[padded(more), padded()], [padded(), padded(more)]]) expect(() => batchOf(rows)).toThrow(expect.objectContaining({ code: 'cannot-express' }));
  });

  test('a dataset column cannot overwrite another', () => {
    expect(() => batchOf([padded()], { responses: ['x'] })).toThrow(expect.objectContaining({ code: 'duplicate-name' }));
  });
});

describe('queue rows', () => {
  const session = { uid: 'u', sessionId: 0, globalSteps: 3, partitionId: 'train' } as const;

  test('have the union of the columns, and the last reward on each', () => {
    const [put] = queueRows([output(), output({ responseLogprobs: [-1, 0], rewardScore: 1 })], session);
    expect(put?.keys).toEqual(['u_0_0', 'u_0_1']);
    expect(put?.fields['rollout_log_probs']).toEqual([null, { dtype: 'float32', shape: [2], data: [-1, 0] }]);
    expect(put?.fields['rm_scores']).toEqual({ dtype: 'float32', shape: [2, 2], data: [0, 1, 0, 1] });
  });

  test('a dataset column cannot overwrite a tensor, and any other name is a column', () => {
    expect(() => queueRows([output()], { ...session, datasetFields: { responses: 'x' } })).toThrow(expect.objectContaining({ code: 'duplicate-name' }));
    expect(queueRows([output()], { ...session, datasetFields: { output: 'x' } })[0]?.fields['output']).toEqual(['x']);
  });

  test('no outputs publish nothing', () => {
    expect(queueRows([], session)).toEqual([]);
  });
});

test('columns of rows of different shapes stay lists', () => {
  expect(columnsOf([{ a: int64(1), b: 1 }, { a: int64(2, 3) }])).toEqual({ a: [int64(1), int64(2, 3)], b: [1, null] });
});

test('a sample becomes an output with its experts at its tokens', () => {
  const recorder = createTurnRecorder();
  recorder.record({ id: 'a', promptIds: [5, 6], outputIds: [7, 8], outputLossMask: [1, 0], outputLogprobs: [-0.5, -1], routedExperts: { start: 0, layers: 1, topK: 1, data: Int16Array.of(1, 2, 3) }, finishReason: 'stop' });
  const [sample] = assembleSamples({ sessionId: 's', rolloutId: 'r', groupId: 'g', reward: 0.5, mergeResult: lossless.merge(recorder.turns) }).samples;
  if (sample === undefined) throw new Error('expected a sample');
  expect(toTensors(outputOfSample(sample))).toMatchObject({
    prompts: int64(5, 6), responses: int64(7, 8), response_mask: int64(1, 0), rollout_log_probs: { data: [-0.5, 0] }, rm_scores: { data: [0, 0.5] },
    routed_experts: { dtype: 'int16', shape: [4, 1, 1], data: [1, 2, 3, 0] }, num_turns: 2, extra_fields: { rollout_id: 'r', weight: 1, status: 'completed' },
  });
});
