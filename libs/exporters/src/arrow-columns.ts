import { Field, Float32, Float64, Int32, List, makeData, Uint8, Utf8, type Data, type DataType } from 'apache-arrow';

/** A column as Arrow takes it, made from typed arrays without a value at a time. */
export interface ArrowColumn {
  readonly field: Field;
  readonly data: Data;
}

export type Numbers = Int32Array | Int16Array | Uint8Array | Float32Array;

/** undefined is null */
export function textColumn(name: string, values: readonly (string | undefined)[], nullable = false): ArrowColumn {
  const parts = values.map((value) => Buffer.from(value ?? ''));
  const data = { type: new Utf8(), length: values.length, valueOffsets: offsetsOf(parts), data: new Uint8Array(Buffer.concat(parts)), ...validity(values.map((value) => value !== undefined)) };
  return { field: new Field(name, data.type, nullable), data: makeData(data) };
}

export function integerColumn(name: string, values: readonly number[]): ArrowColumn {
  return { field: new Field(name, new Int32(), false), data: makeData({ type: new Int32(), length: values.length, nullCount: 0, data: Int32Array.from(values) }) };
}

export function doubleColumn(name: string, values: readonly (number | null)[], nullable: boolean): ArrowColumn {
  const data = Float64Array.from(values, (value) => value ?? 0);
  return { field: new Field(name, new Float64(), nullable), data: makeData({ type: new Float64(), length: values.length, data, ...validity(values.map((value) => value !== null)) }) };
}

/** shape  one list of numbers a row; undefined is null */
export function listColumn(name: string, rows: readonly (Numbers | undefined)[], kind: 'int32' | 'uint8' | 'float32', nullable: boolean): ArrowColumn {
  const lists = rows.map((row) => row ?? new Uint8Array(0));
  const valueOffsets = offsetsOf(lists);
  const values = joined(lists, valueOffsets.at(-1) ?? 0, kind);
  const item = new Field<DataType>('item', kind === 'int32' ? new Int32() : kind === 'uint8' ? new Uint8() : new Float32(), false);
  const child = makeData({ type: item.type, length: values.length, nullCount: 0, data: values } as Parameters<typeof makeData>[0]);
  const type = new List(item);
  return { field: new Field(name, type, nullable), data: makeData({ type, length: rows.length, valueOffsets, child, ...validity(rows.map((row) => row !== undefined)) }) };
}

function joined(lists: readonly Numbers[], length: number, kind: 'int32' | 'uint8' | 'float32'): Numbers {
  const values = kind === 'int32' ? new Int32Array(length) : kind === 'uint8' ? new Uint8Array(length) : new Float32Array(length);
  let start = 0;
  for (const list of lists) {
    values.set(list, start);
    start += list.length;
  }
  return values;
}

function offsetsOf(lists: readonly { readonly length: number }[]): Int32Array {
  const offsets = new Int32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = (offsets[i] ?? 0) + list.length;
  return offsets;
}

function validity(present: readonly boolean[]): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullCount = present.filter((here) => !here).length;
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(present.length / 64) * 8);
  for (const [i, here] of present.entries()) if (here) nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7));
  return { nullCount, nullBitmap };
}
