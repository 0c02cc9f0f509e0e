import { AgentError } from '@turnwright/contracts';
import type { VerlOutput } from './agent-loop-output.js';
import { columnsOf, type Column } from './columns.js';
import { int64 } from './tensor.js';
import { toTensors } from './to-tensors.js';

export interface QueueSession {
  readonly uid: string;
  readonly sessionId: number;
  readonly globalSteps: number;
  readonly partitionId: 'train' | 'val';
  readonly datasetFields?: Readonly<Record<string, unknown>>;
}

/** What is put into the queue for one session: parallel rows. */
export interface QueuePut {
  readonly keys: readonly string[];
  readonly partitionId: string;
  readonly tags: readonly Readonly<Record<string, unknown>>[];
  readonly fields: Readonly<Record<string, Column>>;
}

/**
 * The rows of a session's outputs; the last output's reward stands for all of them.
 *
 * throws AgentError `duplicate-name` for a dataset column that would overwrite another
 * source verl 1dda039b9c63 AgentLoopWorkerTQ; its columns are the first row's, these are the union
 */
export function queueRows(outputs: readonly VerlOutput[], session: QueueSession): QueuePut[] {
  if (outputs.length === 0) return [];
  const last = outputs.at(-1);
  const rows = outputs.map((output) => rowOf(scoredLike(output, last), session));
  return [{
    keys: outputs.map((_, i) => `${session.uid}_${String(session.sessionId)}_${String(i)}`),
    partitionId: session.partitionId,
    tags: outputs.map((output) => tagOf(output, session)),
    fields: columnsOf(rows),
  }];
}

function scoredLike(output: VerlOutput, last: VerlOutput | undefined): VerlOutput {
  if (last?.rewardScore === undefined) return output;
  const info = last.extraFields['reward_extra_info'];
  return { ...output, rewardScore: last.rewardScore, extraFields: info === undefined ? output.extraFields : { ...output.extraFields, reward_extra_info: info } };
}

function rowOf(output: VerlOutput, session: QueueSession): Record<string, unknown> {
  const { multi_modal_data: _, ...row } = toTensors(output);
  const ids = [...output.promptIds, ...output.responseIds];
  const own: Record<string, unknown> = {
    ...row,
    uid: session.uid,
    session_id: session.sessionId,
    global_steps: session.globalSteps,
    loss_mask: int64([...output.responseMask]),
    input_ids: int64(ids),
    position_ids: int64(ids.map((_id, i) => i)),
    multi_modal_inputs: {},
  };
  for (const [key, value] of Object.entries(session.datasetFields ?? {})) {
    if (key in own) throw new AgentError('duplicate-name', `The dataset column "${key}" would overwrite a column of the rollout.`, { fields: { key } });
    own[key] = value;
  }
  return own;
}

function tagOf({ promptIds, responseIds, extraFields }: VerlOutput, session: QueueSession): Record<string, unknown> {
  return {
    status: 'success',
    prompt_len: promptIds.length,
    response_len: responseIds.length,
    seq_len: promptIds.length + responseIds.length,
    global_steps: session.globalSteps,
    min_global_steps: extraFields['min_global_steps'] ?? null,
    max_global_steps: extraFields['max_global_steps'] ?? null,
  };
}
