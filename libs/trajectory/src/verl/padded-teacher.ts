import { AgentError } from '@turnwright/contracts';
import type { PaddedRow } from './padded-row.js';
import { batchOfOne, isTensor, type Tensor } from './tensor.js';

export interface TeacherPadding {
  /** tokens */
  readonly before: number;
  readonly after: number;
  readonly padTokenId: number;
}

/**
 * The teacher's ids and log-probs over prompt and response, padded on both sides: ids with the pad token, log-probs with 0.
 *
 * As in verl, one without the other is dropped.
 * throws AgentError `length-mismatch` unless there is a row for each of `count` tokens, `bad-contract` for what is no list of numbers
 */
export function padTeacher(given: { readonly teacher_ids: unknown; readonly teacher_logprobs: unknown }, count: number, padding: TeacherPadding): Pick<PaddedRow, 'teacherIds' | 'teacherLogprobs'> {
  if (absent(given.teacher_ids) || absent(given.teacher_logprobs)) return {};
  return {
    teacherIds: padded(teacherTensor('teacher_ids', given.teacher_ids, 'int64', count), padding, padding.padTokenId),
    teacherLogprobs: padded(teacherTensor('teacher_logprobs', given.teacher_logprobs, 'float32', count), padding, 0),
  };
}

function absent(value: unknown): boolean {
  return value === undefined || value === null;
}

function teacherTensor(name: string, value: unknown, dtype: 'int64' | 'float32', count: number): Tensor {
  const tensor = isTensor(value) ? value : { dtype, ...nestedNumbers(name, value) };
  const rows = tensor.shape[0] ?? 0;
  if (rows !== count) throw new AgentError('length-mismatch', `AgentLoopOutput: ${name} has ${String(rows)} rows; expected ${String(count)}, one for each token of prompt and response.`, { fields: { name, found: rows, expected: count } });
  return tensor;
}

/** A list of numbers, or a list of lists of one length, at any depth. */
function nestedNumbers(name: string, value: unknown): Pick<Tensor, 'shape' | 'data'> {
  const shape: number[] = [];
  for (let level = value; Array.isArray(level); level = level[0] as unknown) shape.push(level.length);
  const data = Array.isArray(value) ? (value.flat(shape.length - 1) as unknown[]) : [];
  const whole = shape.length > 0 && data.length === shape.reduce((size, extent) => size * extent, 1) && data.every((entry) => typeof entry === 'number');
  if (!whole) throw new AgentError('bad-contract', `AgentLoopOutput: ${name} is no rectangular list of numbers.`, { fields: { name } });
  return { shape, data: data as number[] };
}

function padded({ dtype, shape, data }: Tensor, { before, after }: TeacherPadding, value: number): Tensor {
  const rowSize = shape.slice(1).reduce((size, extent) => size * extent, 1);
  const fill = (count: number) => new Array<number>(count * rowSize).fill(value);
  return batchOfOne({ dtype, shape: [(shape[0] ?? 0) + before + after, ...shape.slice(1)], data: [...fill(before), ...data, ...fill(after)] });
}
