import { isTensor, type Tensor } from './tensor.js';

/** Tensors at any depth of lists and maps, as `{dtype, shape, data}` with `data` nested like the shape. */
export function describeTensors(value: unknown): unknown {
  if (isTensor(value)) return { dtype: value.dtype, shape: value.shape, data: nested(value) };
  if (Array.isArray(value)) return value.map(describeTensors);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, describeTensors(entry)]));
}

function nested({ shape, data }: Tensor): readonly unknown[] {
  let level: readonly unknown[] = data;
  for (const extent of shape.slice(1).reverse()) {
    const flat = level;
    level = Array.from({ length: extent === 0 ? (shape[0] ?? 0) : flat.length / extent }, (_, i) => flat.slice(i * extent, (i + 1) * extent));
  }
  return level;
}
