import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { claudeSession, filesOf, inDirectory, ledgerOf, rowsOf, run, spawned, WORKSPACE, type CallLine } from '../workspace.fixture.js';

const GOLDEN = new URL('../golden/example/', import.meta.url);
const EXAMPLE = ['replay', 'examples/sessions', '--system', 'examples/system.md', '--tools', 'examples/tools.json'];

/** From the workspace's root, so that the paths in the output are the same everywhere. */
const example = (directory: string, ...options: string[]) => spawned([...EXAMPLE, '--out', directory, ...options]);

/** Columns that a JSON line leaves out when a row has nothing to say in them. */
const OPTIONAL_COLUMNS = new Set(['advantage', 'step_rewards', 'weight_versions', 'routed_experts', 'routed_experts_shape', 'rollout_top_p_token_ids', 'rollout_top_p_offsets', 'rollout_routed_experts', 'rollout_routed_experts_shape', 'tree_parent_id', 'tree_shared_length']);

describe('replaying the example', () => {
  test('gives the golden files, byte for byte; GOLDEN=write writes them anew', () =>
    inDirectory(async (directory) => {
      expect(await example(directory)).toMatchObject({ code: 0, err: '' });
      if (process.env['GOLDEN'] === 'write') {
        if (process.env['CI'] === 'true') throw new Error('Golden files are written by people, who read the difference: expected CI not to be true.');
        await mkdir(GOLDEN, { recursive: true });
        await cp(directory, GOLDEN, { recursive: true });
      }
      const [golden, made] = [await filesOf(GOLDEN.pathname), await filesOf(directory)];
      expect(Object.keys(made)).toEqual(['ledger.jsonl', 'manifest.json', 'samples-00000.jsonl']);
      expect(made).toEqual(golden);
    }));

  test('gives the same bytes again, also in the same directory and over a run that was killed', () =>
    inDirectory(async (directory) => {
      const [first, second] = [join(directory, 'a'), join(directory, 'b')];
      await Promise.all([example(first), example(second)]);
      const files = await filesOf(first);
      expect(await filesOf(second)).toEqual(files);
      await writeFile(join(second, '.manifest.json.partial'), '');
      await writeFile(join(second, '.samples-00001.jsonl.partial'), 'half a');
      expect(await example(second)).toMatchObject({ code: 0 });
      expect(await filesOf(second)).toEqual(files);
    }));

  test('gives the rows of the JSON lines as Parquet', () =>
    inDirectory(async (directory) => {
      const [lines, parquet] = [join(directory, 'lines'), join(directory, 'parquet')];
      await Promise.all([example(lines), example(parquet, '--format', 'parquet')]);
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const found = (await connection.runAndReadAll(`SELECT * FROM '${parquet}/samples-00000.parquet'`)).getRowObjectsJS();
      connection.closeSync();
      // Parquet has every column in every row; those that a JSON line leaves out are null, or 0.
      const absent = (row: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(row).filter(([key, value]) => !OPTIONAL_COLUMNS.has(key) || (value !== null && value !== 0)));
      expect(found.map((row) => absent({ ...row, spans: JSON.parse(String(row['spans'])) as unknown, metadata: JSON.parse(String(row['metadata'])) as unknown }))).toEqual(await rowsOf(lines));
    }));

  test('says in JSON what the summary says', () =>
    inDirectory(async (directory) => {
      const ran = await example(directory, '--json');
      expect(JSON.parse(ran.out)).toMatchObject({ sessions: 1, calls: 5, sampledTokens: 362, trainedTokens: 362, samples: 1, files: { read: 1, refused: 0, skipped: 0 }, samplesFiles: ['samples-00000.jsonl'] });
    }));
});

describe('a run', () => {
  test('balances: what was sampled is trained or excluded with a reason', () =>
    inDirectory(async (directory) => {
      const source = join(directory, 'a.jsonl');
      await writeFile(source, claudeSession([{ thinking: 'Hm.', text: 'A.', calls: [{ id: 'x', input: { command: 'ls' } }], stop: 'tool_use' }, { text: 'B.', stop: 'end_turn' }]));
      for (const recipe of ['coding-agent', 'final-answer']) {
        const out = join(directory, recipe);
        expect(await run('replay', source, '--recipe', recipe, '--out', out)).toMatchObject({ code: 0 });
        const calls = await ledgerOf<CallLine>(out, 'call');
        for (const call of calls) expect(call.sampled_tokens, call.call_id).toBe(call.trained_tokens + call.excluded.reduce((sum, { count }) => sum + count, 0));
        const masked = (await rowsOf(out)).flatMap(({ loss_mask: mask }) => mask).filter((bit) => bit === 1).length;
        expect(masked).toBe(calls.reduce((sum, call) => sum + call.trained_tokens, 0));
      }
    }));

  test('names rows uniquely where two files hold a session of one name', () =>
    inDirectory(async (directory) => {
      const row = (text: string): string => JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: text }] });
      for (const name of ['a', 'b']) {
        await mkdir(join(directory, name));
        await writeFile(join(directory, name, 'data.jsonl'), `${row(name)}\n`);
      }
      await run('replay', join(directory, 'a'), join(directory, 'b'), '--out', join(directory, 'out'));
      expect((await rowsOf(join(directory, 'out'))).map(({ id, rollout_id: rollout, session_id: session }) => [id, rollout, session])).toEqual([['data#0/0000', 'data#0', 'data#0'], ['data#0~2/0000', 'data#0~2', 'data#0']]);
    }));

  test('takes a reward for each session from a file', () =>
    inDirectory(async (directory) => {
      await writeFile(join(directory, 's.jsonl'), claudeSession([{ text: 'A.', stop: 'end_turn' }]));
      await writeFile(join(directory, 'rewards.jsonl'), '{"session_id": "s1", "reward": 0.25, "group_id": "g"}\n');
      await run('replay', join(directory, 's.jsonl'), '--reward', join(directory, 'rewards.jsonl'), '--out', join(directory, 'out'));
      expect((await rowsOf(join(directory, 'out'))).map(({ reward, group_id: group }) => [reward, group])).toEqual([[0.25, 'g']]);
      expect(JSON.parse(await readFile(join(directory, 'out/manifest.json'), 'utf8'))).toMatchObject({ supplements: [{ option: 'reward', file: join(directory, 'rewards.jsonl') }] });
    }));

  test('whose output lies among its inputs can be repeated', () =>
    inDirectory(async (directory) => {
      await cp(join(WORKSPACE, 'examples/sessions'), directory, { recursive: true });
      const out = join(directory, 'out');
      await run('replay', directory, '--out', out);
      const files = await filesOf(out);
      expect(await run('replay', directory, '--out', out)).toMatchObject({ code: 0 });
      expect(await filesOf(out)).toEqual(files);
    }));
});
