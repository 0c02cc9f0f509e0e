import { Buffer } from 'node:buffer';

type Value = string | number | null;

/** A table as a test writes it. */
export interface TestTable {
  readonly sql: string;
  readonly rows: readonly (readonly Value[])[];
}

const PAGE = 512;

/** Bytes of a database of small pages, so that a few rows need several pages and a long text needs overflow pages. */
export function databaseBytes(tables: Readonly<Record<string, TestTable>>): Buffer {
  const pages: Buffer[] = [Buffer.alloc(PAGE)];
  const append = (page: Buffer): number => pages.push(page);
  const schema = Object.entries(tables).map(([name, table]) => {
    const leaves = leavesOf(table.rows.map((row, index) => cell(index + 1, row, append)));
    const roots = leaves.map((cells) => append(leaf(cells.cells, 0)));
    const root = roots.length === 1 ? (roots[0] ?? 0) : append(interior(roots, leaves.map((each) => each.lastRowId)));
    return ['table', name, name, root, table.sql] as const;
  });
  leaf(schema.map((row, index) => cell(index + 1, row, append).bytes), 100).copy(pages[0] ?? Buffer.alloc(0));
  const bytes = Buffer.concat(pages);
  bytes.write('SQLite format 3\0', 0, 'latin1');
  bytes.writeUInt16BE(PAGE, 16);
  bytes.writeUInt32BE(1, 56);
  return bytes;
}

/** A log that holds all pages of `newer` that differ from `older`, as one commit. */
export function logBytes(older: Buffer, newer: Buffer): Buffer {
  const header = Buffer.alloc(32);
  header.writeUInt32BE(0x377f0683, 0);
  header.writeUInt32BE(PAGE, 8);
  header.writeUInt32BE(7, 16);
  let state = checksum(header.subarray(0, 24), [0, 0]);
  header.writeUInt32BE(state[0], 24);
  header.writeUInt32BE(state[1], 28);
  const changed: number[] = [];
  for (let page = 1; page * PAGE <= newer.length; page++) if (!newer.subarray((page - 1) * PAGE, page * PAGE).equals(older.subarray((page - 1) * PAGE, page * PAGE))) changed.push(page);
  const frames = changed.map((page, index) => {
    const frame = Buffer.alloc(24);
    frame.writeUInt32BE(page, 0);
    frame.writeUInt32BE(index === changed.length - 1 ? newer.length / PAGE : 0, 4);
    frame.writeUInt32BE(7, 8);
    const content = newer.subarray((page - 1) * PAGE, page * PAGE);
    state = checksum(content, checksum(frame.subarray(0, 8), state));
    frame.writeUInt32BE(state[0], 16);
    frame.writeUInt32BE(state[1], 20);
    return Buffer.concat([frame, content]);
  });
  return Buffer.concat([header, ...frames]);
}

function checksum(bytes: Buffer, [first, second]: readonly [number, number]): readonly [number, number] {
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + bytes.readUInt32BE(at) + second) >>> 0;
    second = (second + bytes.readUInt32BE(at + 4) + first) >>> 0;
  }
  return [first, second];
}

function leavesOf(cells: readonly { readonly rowId: number; readonly bytes: Buffer }[]): { cells: Buffer[]; lastRowId: number }[] {
  const leaves: { cells: Buffer[]; lastRowId: number; size: number }[] = [{ cells: [], lastRowId: 0, size: 8 }];
  for (const { rowId, bytes } of cells) {
    const last = leaves.at(-1);
    if (last !== undefined && last.size + bytes.length + 2 <= PAGE) {
      last.cells.push(bytes);
      last.size += bytes.length + 2;
      last.lastRowId = rowId;
    } else leaves.push({ cells: [bytes], lastRowId: rowId, size: 8 + bytes.length + 2 });
  }
  return leaves;
}

function cell(rowId: number, row: readonly Value[], append: (page: Buffer) => number): { readonly rowId: number; readonly bytes: Buffer } {
  const payload = record(row);
  const most = PAGE - 35;
  const head = Buffer.concat([varint(payload.length), varint(rowId)]);
  if (payload.length <= most) return { rowId, bytes: Buffer.concat([head, payload]) };
  const least = Math.floor(((PAGE - 12) * 32) / 255) - 23;
  const fitting = least + ((payload.length - least) % (PAGE - 4));
  const local = fitting <= most ? fitting : least;
  let next = 0;
  const pieces: Buffer[] = [];
  for (let at = local; at < payload.length; at += PAGE - 4) pieces.push(payload.subarray(at, at + PAGE - 4));
  for (const piece of pieces.reverse()) {
    const page = Buffer.alloc(PAGE);
    page.writeUInt32BE(next, 0);
    piece.copy(page, 4);
    next = append(page);
  }
  const link = Buffer.alloc(4);
  link.writeUInt32BE(next, 0);
  return { rowId, bytes: Buffer.concat([head, payload.subarray(0, local), link]) };
}

function record(row: readonly Value[]): Buffer {
  const bodies = row.map((value) => (typeof value === 'string' ? Buffer.from(value) : typeof value === 'number' ? int48(value) : Buffer.alloc(0)));
  const kinds = row.map((value, index) => (typeof value === 'string' ? 13 + 2 * (bodies[index]?.length ?? 0) : typeof value === 'number' ? 5 : 0));
  const header = Buffer.concat(kinds.map(varint));
  const length = header.length + 1 < 128 ? header.length + 1 : header.length + 2;
  return Buffer.concat([varint(length), header, ...bodies]);
}

function int48(value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeIntBE(value, 0, 6);
  return bytes;
}

function varint(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((left & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

function leaf(cells: readonly Buffer[], start: number): Buffer {
  const page = Buffer.alloc(PAGE);
  page[start] = 0x0d;
  page.writeUInt16BE(cells.length, start + 3);
  let end = PAGE;
  for (const [index, bytes] of cells.entries()) {
    end -= bytes.length;
    bytes.copy(page, end);
    page.writeUInt16BE(end, start + 8 + 2 * index);
  }
  return page;
}

function interior(children: readonly number[], lastRowIds: readonly number[]): Buffer {
  const page = Buffer.alloc(PAGE);
  page[0] = 0x05;
  page.writeUInt16BE(children.length - 1, 3);
  page.writeUInt32BE(children.at(-1) ?? 0, 8);
  let end = PAGE;
  for (const [index, child] of children.slice(0, -1).entries()) {
    const link = Buffer.alloc(4);
    link.writeUInt32BE(child, 0);
    const bytes = Buffer.concat([link, varint(lastRowIds[index] ?? 0)]);
    end -= bytes.length;
    bytes.copy(page, end);
    page.writeUInt16BE(end, 12 + 2 * index);
  }
  return page;
}
