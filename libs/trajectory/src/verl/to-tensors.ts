import { AgentError } from '@turnwright/contracts';
import { requireMap, requireParallel, type VerlOutput } from './agent-loop-output.js';
import { copyPlain } from './copy-plain.js';
import { float32, int64, type Tensor } from './tensor.js';

/**
 * verl's dictionary of an output: tensors, the given fields, and the extra fields without the teacher's, which are lifted.
 *
 * Read-only: everything nested is copied, and a second call gives the same.
 * throws AgentError `length-mismatch` (mask or log-probs), `cannot-express` (a reward without a response token to stand on), `bad-contract` (extra fields gone)
 * source verl 1dda039b9c63 AgentLoopOutput.as_dict
 */
export function toTensors(output: VerlOutput): Record<string, unknown> {
  requireParallel(output);
  requireMap(output.extraFields);
  const { teacher_ids, teacher_logprobs, ...extra_fields } = copyPlain(output.extraFields) as Record<string, unknown>;
  return {
    ...(output.given.numTurns ? { num_turns: output.numTurns } : {}),
    ...present('multi_modal_data', copyPlain(output.multiModalData)),
    ...present('mm_processor_kwargs', copyPlain(output.mmProcessorKwargs)),
    metrics: { ...output.given.metrics },
    prompts: int64([...output.promptIds]),
    responses: int64([...output.responseIds]),
    response_mask: int64([...output.responseMask]),
    ...present('rollout_log_probs', output.responseLogprobs && float32(output.responseLogprobs)),
    ...present('routed_experts', output.routedExperts && fitRows(output.routedExperts, output.promptIds.length + output.responseIds.length)),
    ...present('rm_scores', output.rewardScore === undefined ? undefined : scoreOnLast(output.rewardScore, output.responseIds.length)),
    extra_fields,
    ...present('teacher_ids', teacher_ids),
    ...present('teacher_logprobs', teacher_logprobs),
  };
}

function present(key: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === null ? {} : { [key]: value };
}

/** The rows that belong to `count` tokens: cut, or continued with zeros. */
export function fitRows(experts: Tensor, count: number): Tensor {
  const rest = experts.shape.slice(1);
  const data = new Array<number>(rest.reduce((size, extent) => size * extent, count)).fill(0);
  for (let i = 0; i < Math.min(data.length, experts.data.length); i++) data[i] = experts.data[i] ?? 0;
  return { dtype: 'int16', shape: [count, ...rest], data };
}

/** The score stands on the last token, whatever its mask. */
export function scoreOnLast(score: number, length: number): Tensor {
  if (length === 0) throw new AgentError('cannot-express', `AgentLoopOutput: the reward ${String(score)} has no response token to stand on.`);
  return float32(new Array<number>(length).fill(0).with(-1, score));
}
