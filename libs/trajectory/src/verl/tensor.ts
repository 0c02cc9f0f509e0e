import { AgentError } from '@turnwright/contracts';

/**
 * A tensor as verl's dictionaries hold them.
 *
 * shape  `data` is row-major
 */
export interface Tensor {
  readonly dtype: 'int64' | 'int16' | 'float32';
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** Integers `[T]`. */
export function int64(data: readonly number[]): Tensor {
  return { dtype: 'int64', shape: [data.length], data };
}

/** Rounded to single precision `[T]`. */
export function float32(data: readonly number[]): Tensor {
  return { dtype: 'float32', shape: [data.length], data: data.map(Math.fround) };
}

/** The tensor as a batch of one. */
export function batchOfOne(tensor: Tensor): Tensor {
  return { ...tensor, shape: [1, ...tensor.shape] };
}

/** Joined along the first axis. throws AgentError `length-mismatch` where the other axes differ */
export function concatenate(tensors: readonly Tensor[]): Tensor {
  const first = tensors[0] ?? int64([]);
  const rest = first.shape.slice(1);
  for (const { shape } of tensors) {
    if (shape.slice(1).join() !== rest.join()) throw new AgentError('length-mismatch', `Cannot join tensors of the shapes [${first.shape.join(', ')}] and [${shape.join(', ')}].`);
  }
  return { dtype: first.dtype, shape: [tensors.reduce((sum, { shape }) => sum + (shape[0] ?? 0), 0), ...rest], data: tensors.flatMap(({ data }) => data) };
}

export function isTensor(value: unknown): value is Tensor {
  return typeof value === 'object' && value !== null && 'dtype' in value && 'shape' in value && 'data' in value;
}
