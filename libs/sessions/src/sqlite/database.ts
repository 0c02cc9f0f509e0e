import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Diagnostic, SourceFile } from '@turnwright/contracts';
import { columnsOf } from './columns.js';
import { Pages } from './pages.js';
import type { SqliteValue } from './record.js';
import type { Layout } from './table.js';
import { readTable } from './table.js';
import { indexWriteAheadLog } from './write-ahead-log.js';

/** A row by column names. */
export interface SqliteRow {
  readonly values: Readonly<Record<string, SqliteValue>>;
  readonly byteOffset: number;
}

const MAGIC = 'SQLite format 3\0';

/** True when the bytes begin as a database of SQLite does. */
export function isSqlite(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, MAGIC.length)).toString('latin1') === MAGIC;
}

/**
 * Reads tables of an SQLite file without a database engine: pages are read as they are needed, and nothing is written or locked.
 *
 * The engine in Node exists from 22.5, and a client's newest rows are in the log beside its file, which a copy in memory would miss.
 */
export class SqliteDatabase {
  readonly diagnostics: Diagnostic[] = [];
  private readonly tables = new Map<string, { readonly root: number; readonly sql: string }>();

  private constructor(private readonly path: string, private readonly layout: Layout) {}

  /** Opens a file with the log beside it; undefined when it is no database. */
  static async open(source: SourceFile): Promise<SqliteDatabase | undefined> {
    const header = Buffer.from(await source.slice(0, Math.min(100, source.sizeBytes)));
    if (!isSqlite(header) || header.length < 100) return undefined;
    const stored = header.readUInt16BE(16);
    const pageBytes = stored === 1 ? 65_536 : stored;
    if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) return undefined;
    const log = await logBeside(source.path, pageBytes);
    const encoding = ({ 2: 'utf16le', 3: 'utf16be' } as const)[header.readUInt32BE(56)] ?? 'utf8';
    const database = new SqliteDatabase(source.path, { pages: new Pages(source, pageBytes, log), usableBytes: pageBytes - (header[20] ?? 0), encoding });
    await database.readSchema();
    return database;
  }

  has(table: string): boolean {
    return this.tables.has(table);
  }

  /** Rows of a table; none when there is no such table. */
  async *rows(table: string): AsyncGenerator<SqliteRow> {
    const found = this.tables.get(table);
    if (found === undefined) return;
    const { names, rowId } = columnsOf(found.sql);
    for await (const row of readTable(this.layout, found.root, (byteOffset, reason) => this.fault(byteOffset, `table ${table}: ${reason}`))) {
      const values = Object.fromEntries(names.map((name, index) => [name, row.values[index] ?? (name === rowId ? row.rowId : null)]));
      yield { values, byteOffset: row.byteOffset };
    }
  }

  private async readSchema(): Promise<void> {
    for await (const { values } of readTable(this.layout, 1, (byteOffset, reason) => this.fault(byteOffset, `schema: ${reason}`))) {
      const [kind, name, , root, sql] = values;
      if (kind === 'table' && typeof name === 'string' && typeof root === 'number' && typeof sql === 'string') this.tables.set(name, { root, sql });
    }
  }

  private fault(byteOffset: number, reason: string): void {
    this.diagnostics.push({ severity: 'warning', code: 'damaged-page', message: `Expected a whole database, found damage in ${reason}; the rest is read.`, file: this.path, line: 0, byteOffset: Math.max(0, byteOffset) });
  }
}

async function logBeside(path: string, pageBytes: number): Promise<{ readonly bytes: Buffer; readonly pages: ReadonlyMap<number, number> } | undefined> {
  const beside = `${path}-wal`;
  if (!existsSync(beside)) return undefined;
  const bytes = await readFile(beside);
  const pages = indexWriteAheadLog(bytes, pageBytes);
  return pages === undefined ? undefined : { bytes, pages };
}
