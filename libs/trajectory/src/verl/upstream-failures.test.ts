import { describe, expect, test } from 'vitest';
import { answerTrajectoryRequest } from '../index.js';

/** Inputs of the kinds on which verl raises by accident, or loses or invents something; each with the right result or a named error. */
interface Failure {
  readonly because: string;
  readonly op: string;
  readonly input: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

const row = { prompt_ids: [5, 6], response_ids: [7, 8], response_mask: [1, 0] };
const plain = { ...row, extra_fields: {} };
const widths = { prompt_length: 3, response_length: 4 };
const int64 = (data: unknown[], ...shape: number[]) => ({ dtype: 'int64', shape, data });
const tag = { status: 'success', prompt_len: 2, response_len: 2, seq_len: 4, global_steps: 3, min_global_steps: null, max_global_steps: null };
const queueFields = {
  metrics: [{}, {}], extra_fields: [{}, {}], prompts: int64([[5, 6], [5, 6]], 2, 2), responses: int64([[7, 8], [7, 8]], 2, 2), response_mask: int64([[1, 0], [1, 0]], 2, 2),
  uid: ['u', 'u'], session_id: [0, 0], global_steps: [3, 3], loss_mask: int64([[1, 0], [1, 0]], 2, 2), input_ids: int64([[5, 6, 7, 8], [5, 6, 7, 8]], 2, 4),
  position_ids: int64([[0, 1, 2, 3], [0, 1, 2, 3]], 2, 4), multi_modal_inputs: [{}, {}],
};
const put = (more: Record<string, unknown>) => [{ keys: ['u_0_0', 'u_0_1'], partition_id: 'train', tags: [tag, tag], fields: { ...queueFields, ...more } }];
const extras = (...infos: Record<string, unknown>[]) => infos.map((reward_extra_info) => ({ ...row, extra_fields: { reward_extra_info } }));

const FAILURES: Readonly<Record<string, Failure>> = {
  'extra fields set to null later': { because: 'a field that is gone is a wrong use, said by name', op: 'verl.as_dict', input: { kwargs: row, assign: { extra_fields: null } }, error: 'bad-contract' },
  'given extra fields set to null later': { because: 'a field that is gone is a wrong use, said by name', op: 'verl.as_dict', input: { kwargs: { ...row, extra_fields: { a: 1 } }, assign: { extra_fields: null } }, error: 'bad-contract' },
  'extra fields constructed as null': { because: 'null is no map', op: 'verl.as_dict', input: { kwargs: { ...row, extra_fields: null } }, error: 'bad-contract' },
  'a reward without a response': { because: 'there is no token for the reward to stand on', op: 'verl.as_dict', input: { kwargs: { prompt_ids: [5], response_ids: [], response_mask: [], reward_score: 0.5 } }, error: 'cannot-express' },
  'a mask that is too short': { because: 'nobody can tell which token lacks its mask', op: 'verl.as_dict', input: { kwargs: { ...row, response_mask: [1] } }, error: 'length-mismatch' },
  'log-probs that are too few': { because: 'nobody can tell which token lacks its log-prob', op: 'verl.as_dict', input: { kwargs: { ...row, response_logprobs: [-1] } }, error: 'length-mismatch' },
  'an id with a fraction': { because: 'ids are integers', op: 'verl.as_dict', input: { kwargs: { ...row, response_ids: [7.5, 8] } }, error: 'bad-contract' },
  'nested values filled in later': {
    because: 'the answer shares nothing with the output, however the fields came there',
    op: 'verl.as_dict', input: { kwargs: row, mutate: { a: { b: [3] } } },
    result: { out: { metrics: {}, prompts: int64([5, 6], 2), responses: int64([7, 8], 2), response_mask: int64([1, 0], 2), extra_fields: { a: { b: [3] } } }, extra_fields_after: { a: { b: [3] } } },
  },
  'a mask that is longer than its response': { because: 'verl cuts it, and its last entries may have been meant for real tokens', op: 'verl.pad', input: { ...widths, output: { ...row, response_mask: [1, 0, 1] } }, error: 'length-mismatch' },
  'a batch with one row unscored': { because: 'no number stands for "not scored", and dropping the score of the others loses it', op: 'verl.batch', input: { ...widths, outputs: [{ ...plain, reward_score: 1 }, plain] }, error: 'cannot-express' },
  'a batch with log-probs on the first row only': { because: 'no number stands for "no log-prob"', op: 'verl.batch', input: { ...widths, outputs: [{ ...plain, response_logprobs: [-1, -1] }, plain] }, error: 'cannot-express' },
  'a batch with log-probs on the second row only': { because: 'dropping the column would lose them', op: 'verl.batch', input: { ...widths, outputs: [plain, { ...plain, response_logprobs: [-1, -1] }] }, error: 'cannot-express' },
  'a batch with a reward on an empty response': { because: 'verl puts it on a pad token', op: 'verl.batch', input: { ...widths, outputs: [{ prompt_ids: [5], response_ids: [], response_mask: [], reward_score: 1, extra_fields: {} }] }, error: 'cannot-express' },
  'queue rows with a reward on the last only': {
    because: 'the last reward is everybody\'s, and a missing reward_extra_info is no fault',
    op: 'verl.transfer_queue_rows', input: { outputs: [plain, { ...plain, reward_score: 1 }] },
    result: put({ rm_scores: { dtype: 'float32', shape: [2, 2], data: [[0, 1], [0, 1]] } }),
  },
  'queue rows with log-probs on the first only': {
    because: 'a column is the union of the rows, null where a row has none',
    op: 'verl.transfer_queue_rows', input: { outputs: [{ ...plain, response_logprobs: [-1, -0.5] }, plain] },
    result: put({ rollout_log_probs: [{ dtype: 'float32', shape: [2], data: [-1, -0.5] }, null] }),
  },
  'queue rows with log-probs on the second only': {
    because: 'a column is the union of the rows, null where a row has none',
    op: 'verl.transfer_queue_rows', input: { outputs: [plain, { ...plain, response_logprobs: [-1, -0.5] }] },
    result: put({ rollout_log_probs: [null, { dtype: 'float32', shape: [2], data: [-1, -0.5] }] }),
  },
  'queue rows with a number of turns on the second only': { because: 'a column is the union of the rows', op: 'verl.transfer_queue_rows', input: { outputs: [plain, { ...plain, num_turns: 4 }] }, result: put({ num_turns: [null, 4] }) },
  'a dataset column named like a tensor': { because: 'it would overwrite what was sampled', op: 'verl.transfer_queue_rows', input: { outputs: [plain], dataset_fields: { responses: 'x' } }, error: 'duplicate-name' },
  'a dataset column named output (verl 5388)': {
    because: 'a name that only verl\'s own function has taken is a name like any other',
    op: 'verl.transfer_queue_rows', input: { outputs: [plain, plain], dataset_fields: { output: 'x' } }, result: put({ output: ['x', 'x'] }),
  },
  'columns that the second row lacks': { because: 'a column is the union of the rows', op: 'verl.columns', input: { rows: [{ a: [3], b: 1 }, { a: [4] }] }, result: { a: int64([[3], [4]], 2, 1), b: [1, null] } },
  'columns that the first row lacks': { because: 'a column is the union of the rows', op: 'verl.columns', input: { rows: [{ a: [3] }, { a: [4], b: 1 }] }, result: { a: int64([[3], [4]], 2, 1), b: [null, 1] } },
};

describe('what fails or loses something in verl', () => {
  test.each(Object.entries(FAILURES))('%s', (id, { because, op, input, result, error }) => {
    const answer = answerTrajectoryRequest({ id, op, input });
    if (error === undefined) expect(answer, because).toEqual({ id, result });
    else expect('error' in answer ? answer.error.code : answer, because).toBe(error);
  });

  test('reward information that some rows lack (verl 7151) is a column with null', () => {
    const answer = answerTrajectoryRequest({ id: 'x', op: 'verl.batch', input: { ...widths, outputs: extras({ acc: 1, pred: 'x' }, { acc: 0 }) } });
    expect(answer).toMatchObject({ result: { batch: { responses: int64([[7, 8, 0, 0], [7, 8, 0, 0]], 2, 4) }, non_tensor_batch: { acc: { ndarray: 'object', shape: [2], data: [1, 0] }, pred: { ndarray: 'object', shape: [2], data: ['x', null] } } } });
  });
});
