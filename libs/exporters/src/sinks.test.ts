import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrainingSample } from '@turnwright/contracts';
import { describe, expect, test } from 'vitest';
import { exportersPlugin, jsonl, parquet } from './index.js';
import { inDirectory, ODD_SAMPLES, sample } from './samples.fixture.js';

const samples = [0, 1, 2, 3, 4].map((index) => sample(index));

async function write(exporter: typeof jsonl, directory: string, rows: readonly TrainingSample[], rowsPerFile: number): Promise<readonly string[]> {
  const sink = await exporter.open(directory, { rowsPerFile });
  for (const row of rows) await sink.write(row);
  return sink.close();
}

test('the plugin brings the formats', () => {
  expect(exportersPlugin.exporters?.map(({ name }) => name)).toEqual(['jsonl', 'jsonl-tree', 'parquet']);
});

describe.each([['jsonl', jsonl], ['parquet', parquet]] as const)('the %s sink', (extension, exporter) => {
  test('writes as many files as the rows need, and names them', () =>
    inDirectory(async (directory) => {
      const names = await write(exporter, directory, samples, 2);
      expect(names).toEqual([0, 1, 2].map((index) => `samples-0000${String(index)}.${extension}`));
      expect((await readdir(directory)).sort()).toEqual(names);
    }));

  test('does not begin a file that has no row', () =>
    inDirectory(async (directory) => {
      expect(await write(exporter, directory, samples.slice(0, 4), 2)).toHaveLength(2);
    }));

  test('a run without rows has one file', () =>
    inDirectory(async (directory) => {
      expect(await write(exporter, directory, [], 2)).toEqual([`samples-00000.${extension}`]);
    }));

  test('shows only hidden names before the end', () =>
    inDirectory(async (directory) => {
      const sink = await exporter.open(directory, { rowsPerFile: 2 });
      for (const row of samples) await sink.write(row);
      expect((await readdir(directory)).every((name) => name.startsWith('.samples-') && name.endsWith('.partial'))).toBe(true);
      await sink.close();
    }));

  test('an abort leaves nothing behind', () =>
    inDirectory(async (directory) => {
      const sink = await exporter.open(directory, { rowsPerFile: 2 });
      for (const row of samples) await sink.write(row);
      await sink.abort();
      expect(await readdir(directory)).toEqual([]);
    }));

  test('what a run that stopped half-way left behind is removed, and nothing else', () =>
    inDirectory(async (directory) => {
      await writeFile(join(directory, `.samples-00007.${extension}.partial`), 'half');
      await writeFile(join(directory, 'notes.txt'), 'mine');
      await write(exporter, directory, samples, 10);
      expect((await readdir(directory)).sort()).toEqual(['notes.txt', `samples-00000.${extension}`]);
    }));

  test('rows stay in order when nobody waits', () =>
    inDirectory(async (directory) => {
      const [waited, hurried] = [join(directory, 'a'), join(directory, 'b')];
      await write(exporter, waited, samples, 2);
      const sink = await exporter.open(hurried, { rowsPerFile: 2 });
      void Promise.all(samples.map((row) => sink.write(row)));
      for (const name of await sink.close()) expect((await readFile(join(hurried, name))).equals(await readFile(join(waited, name)))).toBe(true);
    }));

  test('the same rows give the same bytes', () =>
    inDirectory(async (directory) => {
      for (const run of ['a', 'b']) await write(exporter, join(directory, run), ODD_SAMPLES, 3);
      for (const name of await readdir(join(directory, 'a'))) expect((await readFile(join(directory, 'a', name))).equals(await readFile(join(directory, 'b', name)))).toBe(true);
    }));

  test('a directory that cannot be made is named', () =>
    inDirectory(async (directory) => {
      const file = join(directory, 'file');
      await writeFile(file, '');
      await expect(exporter.open(join(file, 'out'), { rowsPerFile: 1 })).rejects.toMatchObject({ code: 'unwritable-output', message: expect.stringContaining(join(file, 'out')) as unknown, cause: expect.any(Error) as unknown });
    }));

  test('a file that cannot be created is named, and later writes fail too', () =>
    inDirectory(async (directory) => {
      const sink = await exporter.open(directory, { rowsPerFile: 1 });
      const blocker = join(directory, `.samples-00001.${extension}.partial`);
      await mkdir(blocker);
      await sink.write(sample(0));
      await expect(sink.write(sample(1))).rejects.toMatchObject({ code: 'unwritable-output', fields: { path: blocker } });
      await expect(sink.write(sample(2))).rejects.toMatchObject({ code: 'unwritable-output' });
      await expect(sink.close()).rejects.toMatchObject({ code: 'unwritable-output' });
      await sink.abort();
      expect(await readdir(directory)).toEqual([`.samples-00001.${extension}.partial`]);
    }));

  test('a number that JSON does not have is refused with the row', () =>
    inDirectory(async (directory) => {
      const sink = await exporter.open(directory, { rowsPerFile: 1 });
      await expect(sink.write(sample(7, { logprobs: Float32Array.of(-1, NaN) }))).rejects.toMatchObject({ code: 'cannot-express', fields: { sample: 's/0007' } });
      await sink.abort();
    }));

  test('fewer than one row a file is refused', () =>
    inDirectory(async (directory) => {
      await expect(exporter.open(directory, { rowsPerFile: 0 })).rejects.toMatchObject({ code: 'bad-option' });
    }));
});
