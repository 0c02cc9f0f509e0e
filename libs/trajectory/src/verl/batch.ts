import { AgentError, type AgentLoopOutput } from '@turnwright/contracts';
import type { PaddedRow } from './padded-row.js';
import { concatenate, float32, batchOfOne, type Tensor } from './tensor.js';

export interface Batch {
  readonly tensors: Readonly<Record<string, Tensor>>;
  readonly turnCounts: readonly number[];
  /** One value for each row, null where the row has none. */
  readonly objects: Readonly<Record<string, readonly unknown[]>>;
  readonly metrics: readonly AgentLoopOutput['metrics'][];
  /** Present when the rows are scored. */
  readonly rewardExtraKeys?: readonly string[];
}

/** Columns that a batch always has. */
const USUAL = ['turn_scores', 'tool_rewards', 'min_global_steps', 'max_global_steps', 'extras'];

/**
 * Padded rows as one batch. Object columns are the union over the rows.
 *
 * throws AgentError `cannot-express` where some rows have log-probs, experts or a score and others do not: no number stands for "none";
 *   `duplicate-name` for a dataset column that would overwrite another
 * source verl 1dda039b9c63 AgentLoopWorker._postprocess; where that loses or invents a value, an error
 */
export function batchOf(rows: readonly PaddedRow[], dataset: Readonly<Record<string, readonly unknown[]>> = {}): Batch {
  const scores = optional(rows, 'rm_scores', (row) => (row.output.rewardScore === undefined ? undefined : scoreOnLastAttended(row, row.output.rewardScore)));
  const tensors = {
    prompts: concatenate(rows.map((row) => row.promptIds)),
    responses: concatenate(rows.map((row) => row.responseIds)),
    response_mask: concatenate(rows.map((row) => row.responseMask)),
    input_ids: concatenate(rows.map((row) => row.inputIds)),
    attention_mask: concatenate(rows.map((row) => row.attentionMask)),
    position_ids: concatenate(rows.map((row) => row.positionIds)),
    ...optional(rows, 'rollout_log_probs', (row) => row.responseLogprobs),
    ...optional(rows, 'routed_experts', (row) => row.routedExperts),
    ...optional(rows, 'teacher_logprobs', (row) => row.teacherLogprobs),
    ...optional(rows, 'teacher_ids', (row) => row.teacherIds),
    ...scores,
  };
  const extraInfo = rows.map((row) => (row.extraFields['reward_extra_info'] ?? {}) as Readonly<Record<string, unknown>>);
  const rewardKeys = [...new Set(extraInfo.flatMap((info) => Object.keys(info)))];
  const fieldKeys = new Set([...rows.flatMap((row) => Object.keys(row.extraFields)), ...USUAL]);
  const objects: Record<string, readonly unknown[]> = { multi_modal_inputs: rows.map(() => ({})) };
  for (const key of fieldKeys) objects[key] = rows.map((row) => row.extraFields[key] ?? null);
  for (const key of rewardKeys) objects[key] = extraInfo.map((info) => info[key] ?? null);
  for (const [key, values] of Object.entries(dataset)) {
    if (key in objects || key in tensors || key === '__num_turns__') throw new AgentError('duplicate-name', `The dataset column "${key}" would overwrite a column of the batch.`, { fields: { key } });
    objects[key] = values;
  }
  return { tensors, turnCounts: rows.map((row) => row.output.numTurns), objects, metrics: rows.map((row) => row.output.metrics), ...('rm_scores' in scores ? { rewardExtraKeys: rewardKeys } : {}) };
}

function optional(rows: readonly PaddedRow[], name: string, tensorOf: (row: PaddedRow) => Tensor | undefined): Record<string, Tensor> {
  const tensors = rows.map(tensorOf);
  const present = tensors.filter((tensor) => tensor !== undefined);
  if (present.length === 0) return {};
  const lacking = tensors.indexOf(undefined);
  if (lacking >= 0) throw new AgentError('cannot-express', `Column "${name}": row ${String(lacking)} has none, but another row has; expected all or none.`, { fields: { name, row: lacking } });
  return { [name]: concatenate(present) };
}

function scoreOnLastAttended({ output, responseIds }: PaddedRow, score: number): Tensor {
  const length = output.responseIds.length;
  if (length === 0) throw new AgentError('cannot-express', `The reward ${String(score)} has no response token to stand on.`);
  return batchOfOne(float32(new Array<number>(responseIds.data.length).fill(0).with(length - 1, score)));
}
