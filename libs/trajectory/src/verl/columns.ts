import { concatenate, isTensor, type Tensor } from './tensor.js';

/** A tensor where every row has one of the same kind and shape, else one value for each row, null where the row has none. */
export type Column = Tensor | readonly unknown[];

/**
 * Rows to columns: the union of the rows' keys, so that no row's value is lost for another's lack of it.
 *
 * shape  a tensor column is `[N, …]`
 */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): Record<string, Column> {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries([...keys].map((key) => [key, columnOf(rows.map((row) => row[key] ?? null))]));
}

function columnOf(values: readonly unknown[]): Column {
  const tensors = values.filter(isTensor);
  const kinds = new Set(tensors.map(({ dtype, shape }) => `${dtype} ${shape.join()}`));
  if (tensors.length < values.length || kinds.size !== 1) return values;
  return concatenate(tensors.map((tensor) => ({ ...tensor, shape: [1, ...tensor.shape] })));
}
