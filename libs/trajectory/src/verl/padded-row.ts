import { AgentError } from '@turnwright/contracts';
import { requireMap, requireParallel, type VerlOutput } from './agent-loop-output.js';
import { padTeacher } from './padded-teacher.js';
import { copyPlain } from './copy-plain.js';
import { batchOfOne, float32, int64, type Tensor } from './tensor.js';

export interface PadOptions {
  readonly promptLength: number;
  readonly responseLength: number;
  /** 0 when absent. */
  readonly padTokenId?: number;
  /** Goes into the extra fields. */
  readonly rawPrompt?: readonly unknown[];
}

/** shape  every tensor `[1, T]`; `inputIds`, `positionIds` and `attentionMask` run over prompt and response */
export interface PaddedRow {
  readonly promptIds: Tensor;
  readonly responseIds: Tensor;
  readonly responseMask: Tensor;
  readonly responseLogprobs?: Tensor;
  readonly routedExperts?: Tensor;
  readonly inputIds: Tensor;
  readonly positionIds: Tensor;
  readonly attentionMask: Tensor;
  /** shape  `[1, T, …]`, over prompt and response; both or neither */
  readonly teacherIds?: Tensor;
  readonly teacherLogprobs?: Tensor;
  readonly output: VerlOutput;
  readonly extraFields: Readonly<Record<string, unknown>>;
}

/**
 * The prompt padded on the left, the response on the right. Padding on the right repeats the last position, as verl's does.
 *
 * throws AgentError `length-mismatch` for a prompt or response that is too long, or a mask or teacher data that are not parallel; `bad-contract` for teacher data that are no numbers
 * source verl 1dda039b9c63 AgentLoopWorker._agent_loop_postprocess
 */
export function padRow(output: VerlOutput, options: PadOptions): PaddedRow {
  requireParallel(output);
  requireMap(output.extraFields);
  const { promptLength, responseLength, padTokenId = 0 } = options;
  const { teacher_ids, teacher_logprobs, ...extraFields } = copyPlain(output.extraFields) as Record<string, unknown>;
  const promptPad = padding('prompt', output.promptIds.length, promptLength);
  const responsePad = padding('response', output.responseIds.length, responseLength);
  const prompt = [...times(promptPad, padTokenId), ...output.promptIds];
  const response = [...output.responseIds, ...times(responsePad, padTokenId)];
  const attention = [...times(promptPad, 0), ...times(output.promptIds.length + output.responseIds.length, 1), ...times(responsePad, 0)];
  const row = (data: readonly number[]) => batchOfOne(int64(data));
  return {
    promptIds: row(prompt),
    responseIds: row(response),
    responseMask: row([...output.responseMask, ...times(responsePad, 0)]),
    ...(output.responseLogprobs === undefined ? {} : { responseLogprobs: batchOfOne(float32([...output.responseLogprobs, ...times(responseLength - output.responseLogprobs.length, 0)])) }),
    ...(output.routedExperts === undefined ? {} : { routedExperts: placeExperts(output.routedExperts, promptPad, promptLength + responseLength) }),
    inputIds: row([...prompt, ...response]),
    positionIds: row(positions(attention)),
    attentionMask: row(attention),
    ...padTeacher({ teacher_ids, teacher_logprobs }, output.promptIds.length + output.responseIds.length, { before: promptPad, after: responsePad, padTokenId }),
    output,
    extraFields: { ...extraFields, raw_prompt: options.rawPrompt ?? [] },
  };
}

function padding(what: string, found: number, limit: number): number {
  if (found > limit) throw new AgentError('length-mismatch', `AgentLoopOutput: the ${what} has ${String(found)} tokens; expected at most ${String(limit)}.`, { fields: { what, found, limit } });
  return limit - found;
}

function times(count: number, value: number): number[] {
  return new Array<number>(count).fill(value);
}

function positions(attention: readonly number[]): number[] {
  let seen = 0;
  return attention.map((bit) => Math.max((seen += bit) - 1, 0));
}

function placeExperts(experts: Tensor, start: number, count: number): Tensor {
  const rest = experts.shape.slice(1);
  const rowSize = rest.reduce((size, extent) => size * extent, 1);
  const data = times(count * rowSize, 0);
  for (let i = 0; i < Math.min(experts.data.length, data.length - start * rowSize); i++) data[start * rowSize + i] = experts.data[i] ?? 0;
  return { dtype: 'int16', shape: [1, count, ...rest], data };
}
