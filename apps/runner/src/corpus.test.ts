import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory, ledgerOf, spawned, WORKSPACE, type CallLine } from './workspace.fixture.js';

const CORPUS = join(WORKSPACE, '../shared/sessions/real');
const GOLDEN = new URL('./golden/real-sessions.json', import.meta.url);
const present = existsSync(CORPUS);
if (!present) console.info(`skipped: no recorded sessions at ${CORPUS}`);

interface FileLine extends Record<string, unknown> {
  readonly status: 'read' | 'refused' | 'skipped';
}

test.skipIf(!present)('every recorded session of every agent is replayed or refused by name, the ledger balances, and the totals are the golden ones; GOLDEN=write writes them anew', () =>
  inDirectory(async (directory) => {
    const ran = await spawned(['replay', CORPUS, '--out', directory, '--json']);
    expect(ran.err).toBe('');
    expect([0, 1]).toContain(ran.code);
    const summary = JSON.parse(ran.out) as { sampledTokens: number; trainedTokens: number; excludedByReason: Record<string, number>; calls: number; byReader: unknown };
    if (process.env['GOLDEN'] === 'write') await writeFile(GOLDEN, `${JSON.stringify(summary.byReader, null, 2)}\n`);
    expect(summary.byReader).toEqual(JSON.parse(await readFile(GOLDEN, 'utf8')));
    const excluded = Object.values(summary.excludedByReason).reduce((sum, count) => sum + count, 0);
    expect(summary.sampledTokens).toBe(summary.trainedTokens + excluded);
    const calls = await ledgerOf<CallLine>(directory, 'call');
    expect(calls).toHaveLength(summary.calls);
    for (const call of calls) {
      expect(call.sampled_tokens).toBe(call.trained_tokens + call.excluded.reduce((sum, { count }) => sum + count, 0));
      expect(call).toMatchObject({ file: expect.any(String) as string, line: expect.any(Number) as number, byte_offset: expect.any(Number) as number });
    }
    for (const file of (await ledgerOf<FileLine>(directory, 'file')).filter(({ status }) => status === 'refused')) expect(file).toMatchObject({ code: expect.any(String) as string, line: 0, byte_offset: 0 });
    for (const found of await ledgerOf(directory, 'diagnostic')) expect(found).toMatchObject({ code: expect.any(String) as string, file: expect.any(String) as string, line: expect.any(Number) as number, byte_offset: expect.any(Number) as number });
  }), 300_000);
