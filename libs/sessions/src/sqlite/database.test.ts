import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryFile } from '../session.fixture.js';
import { openSourceFile } from '../source-file.js';
import { SqliteDatabase } from './database.js';
import { databaseBytes, logBytes } from './sqlite.fixture.js';

const SQL = 'CREATE TABLE "notes" (`id` INTEGER PRIMARY KEY, [text] text DEFAULT \'a,b\' NOT NULL, n integer, CONSTRAINT x UNIQUE (id, n))';
const long = (name: string) => `${name} ${'é'.repeat(900)}`;
const notes = (...texts: string[]) => databaseBytes({ notes: { sql: SQL, rows: texts.map((text, index) => [null, text, -index]) } });

async function textsOf(database: SqliteDatabase | undefined): Promise<unknown[]> {
  const texts = [];
  if (database !== undefined) for await (const row of database.rows('notes')) texts.push([row.values['id'], row.values['text'], row.values['n']]);
  return texts;
}

describe('SqliteDatabase', () => {
  it('reads rows over several pages and texts over several more, in order', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => (index % 7 === 0 ? long(`t${index}`) : `t${index}`));
    expect(await textsOf(await SqliteDatabase.open(memoryFile(notes(...texts))))).toEqual(texts.map((text, index) => [index + 1, text, 0 - index]));
  });
  it('prefers what the log beside the file has committed', async () => {
    // because a client that was killed leaves most of its rows there
    const directory = await mkdtemp(join(tmpdir(), 'sqlite-'));
    try {
      const [older, newer] = [notes('old'), notes('new', long('newer'))];
      const path = join(directory, 'x.db');
      await writeFile(path, older);
      await writeFile(`${path}-wal`, logBytes(older, newer));
      expect((await textsOf(await SqliteDatabase.open(await openSourceFile(path)))).length).toBe(2);
      await writeFile(`${path}-wal`, logBytes(older, newer).subarray(0, -100));
      expect(await textsOf(await SqliteDatabase.open(await openSourceFile(path)))).toEqual([[1, 'old', 0]]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
  it('reports damaged pages, and ends on pages that point in a circle', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
    const bytes = notes(...texts);
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, 512, 1024);
    const database = await SqliteDatabase.open(memoryFile(damaged));
    expect((await textsOf(database)).length).toBeLessThan(60);
    expect(database?.diagnostics).toMatchObject([{ code: 'damaged-page', byteOffset: 512 }]);
    const cut = await SqliteDatabase.open(memoryFile(bytes.subarray(0, bytes.length - 700)));
    await textsOf(cut);
    expect(cut?.diagnostics.length).toBeGreaterThan(0);
    const circle = Buffer.from(bytes);
    const root = bytes.length - 512;
    circle.writeUInt32BE(bytes.length / 512, root + 8);
    expect((await textsOf(await SqliteDatabase.open(memoryFile(circle)))).length).toBeLessThan(60);
  });
  it('is none for other bytes', async () => {
    expect(await SqliteDatabase.open(memoryFile('SQLite format 3'))).toBeUndefined();
    expect(await SqliteDatabase.open(memoryFile('x'.repeat(200)))).toBeUndefined();
  });
});
