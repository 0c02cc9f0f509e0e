import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeSession, inDirectory, run, SESSION, spawned, WORKSPACE } from '../workspace.fixture.js';

/** One message and nothing that looks finished. */
async function expectRefusal(argv: readonly string[], code: number, message: RegExp | string, out?: string): Promise<void> {
  const ran = await run(...argv);
  expect(ran.err).toMatch(message);
  expect(ran.code).toBe(code);
  expect(ran.err.split('\n').filter((line) => !line.startsWith('(turnwright --help'))).toHaveLength(1);
  expect(ran.err).not.toMatch(/^\s+at /m);
  if (out !== undefined && existsSync(out)) expect((await readdir(out)).filter((name) => /^(samples-|manifest|ledger)/.test(name))).toEqual([]);
}

describe('replay refuses with one message', () => {
  const replay = (...options: string[]) => (out: string): string[] => ['replay', SESSION, '--out', out, ...options];

  test.each<[string, (out: string) => string[], RegExp]>([
    ['a missing file', (out) => ['replay', '/nowhere/x.jsonl', '--out', out], /Input \/nowhere\/x\.jsonl: expected a session file .* found nothing there/],
    ['an unknown recipe', replay('--recipe', 'coding-agnt'), /Unknown recipe "coding-agnt"\. Known: coding-agent, .*Did you mean "coding-agent"\?/],
    ['an unknown tokenizer', replay('--tokenizer', 'qwen9'), /Unknown tokenizer "qwen9"\. Known: .*qwen3.*no file or folder of that name/],
    ['an unknown server', replay('--server', 'tgi'), /Unknown server "tgi"\. Known: transformers, sglang, vllm/],
    ['a time that is none', replay('--now', 'yesterday'), /expected a time as 2026-01-15T12:34:56/],
    ['template variables that are no JSON', replay('--set', 'chat_template_kwargs={a'), /option chat_template_kwargs: expected a JSON object/],
    ['an unknown output format', replay('--format', 'csv'), /Unknown output format "csv"\. Known: jsonl, jsonl-tree, parquet/],
    ['an unknown policy', replay('--policy', 'glue'), /Unknown merge policy "glue"\. Known: lossless, slime/],
    ['an unknown template', replay('--template', 'chatml'), /Unknown chat template "chatml"\. Known: .*qwen3.*no file or folder of that name/],
    ['an unknown tool-call parser', replay('--tool-call-parser', 'hermse'), /Unknown tool-call format "hermse".*Did you mean "hermes"\?/],
    ['an unknown reasoning parser', replay('--reasoning-parser', 'thunk'), /Unknown reasoning format "thunk".*Did you mean "think"\?/],
    ['a policy given twice', replay('--policy', 'slime', '--set', 'policy=lossless'), /contradict each other: --policy slime and --set policy=lossless/],
    ['one key set twice', replay('--set', 'history=as-sent', '--set', 'history=as-sampled'), /contradict each other/],
    ['reasoning that is off and alone has loss', replay('--set', 'thinking=off', '--set', 'loss=reasoning'), /contradict each other: thinking=off .* loss=reasoning/],
    ['a --set without a value', replay('--set', 'policy'), /Option --set policy: expected KEY=VALUE/],
    ['an option that the recipe does not have', replay('--set', 'polcy=slime'), /Recipe "coding-agent": .*"polcy"/],
    ['a value that an option does not take', replay('--set', 'agents=some'), /option agents: .*"all"\|"main".* found "some"/],
    ['a prototype as an option', replay('--set', '__proto__=1'), /Recipe "coding-agent"/],
    ['a missing reward file', replay('--reward', '/nowhere/r.jsonl'), /Reward file \/nowhere\/r\.jsonl: expected a number or a readable JSON-lines file, found ENOENT/],
    ['an empty reward', replay('--reward', ''), /option reward: /],
    ['a missing system prompt', replay('--system', '/nowhere/s.md'), /System prompt \/nowhere\/s\.md: expected a readable file, found ENOENT/],
    ['a tools file that is no JSON', replay('--tools', join(WORKSPACE, 'examples/system.md')), /Tools file .*: expected a JSON list of tools, found/],
    ['a number of rows that is none', replay('--rows-per-file', '0'), /--rows-per-file.*expected a positive integer/],
    ['an input inside the output', (out) => ['replay', out, '--out', out], /found nothing there|contradict/],
  ])('%s', (_, argv, message) => inDirectory((directory) => expectRefusal(argv(join(directory, 'out')), 2, message, join(directory, 'out'))));

  test('an empty directory, and one without sessions', () =>
    inDirectory(async (directory) => {
      const input = join(directory, 'in');
      await mkdir(input);
      await expectRefusal(['replay', input, '--out', join(directory, 'out')], 2, /expected recorded sessions, found no file/);
      await writeFile(join(input, 'notes.txt'), 'hello');
      await expectRefusal(['replay', input, '--out', join(directory, 'out')], 2, /expected recorded sessions, found 1 files that no reader recognises/, join(directory, 'out'));
    }));

  test('bad lines of a reward file, by file and line', () =>
    inDirectory(async (directory) => {
      const rewards = join(directory, 'r.jsonl');
      await writeFile(rewards, '{"session_id": "a", "reward": 1}\n{"session_id": "b", "reward": "high"}\n');
      await expectRefusal(['replay', SESSION, '--reward', rewards, '--out', join(directory, 'out')], 2, /r\.jsonl, line 2: expected .*found .*"high"/);
      await writeFile(rewards, '{"session_id": "a", "reward": 1}\n{"session_id": "a", "reward": 0}\n');
      await expectRefusal(['replay', SESSION, '--reward', rewards, '--out', join(directory, 'out')], 2, /line 2: expected one reward for a session/);
    }));

  test('an output that cannot be written, with the exit code of a broken environment', () =>
    inDirectory(async (directory) => {
      const [file, foreign, web] = [join(directory, 'file'), join(directory, 'foreign'), join(directory, 'web')];
      await writeFile(file, 'mine');
      for (const path of [foreign, web]) await mkdir(path);
      await writeFile(join(foreign, 'thesis.tex'), 'mine');
      await writeFile(join(web, 'manifest.json'), '{"name": "my site"}');
      await expectRefusal(['replay', SESSION, '--out', file], 3, /Output .*file: expected .* found ENOTDIR/);
      await expectRefusal(['replay', SESSION, '--out', join(file, 'below')], 3, /found ENOTDIR/);
      await expectRefusal(['replay', SESSION, '--out', foreign], 3, /expected an empty directory or an earlier run, found thesis\.tex/);
      const somebodys = await run('replay', SESSION, '--out', web);
      expect(somebodys).toMatchObject({ code: 3 });
      expect(await readdir(web)).toEqual(['manifest.json']);
      if (existsSync('/proc/self')) await expectRefusal(['replay', SESSION, '--out', '/proc/turnwright'], 3, /Output \/proc\/turnwright: expected a place that can be written/);
    }));

  test('shows where an error came from only with --debug', async () => {
    expect((await run('formats', 'nope')).err).not.toContain('    at ');
    expect((await run('formats', 'nope', '--debug')).err).toContain('    at ');
  });
});

describe('a file that no reader knows', () => {
  test('is refused when it was named, by line and byte, and the others are replayed', () =>
    inDirectory(async (directory) => {
      const [notes, out] = [join(directory, 'notes.txt'), join(directory, 'out')];
      await writeFile(notes, 'hello');
      const ran = await run('replay', notes, SESSION, '--out', out);
      expect(ran.code).toBe(1);
      expect(ran.out).toContain(`refused ${notes}:1 (byte 0) unknown-session-format: expected a session of langgraph, claude-code, `);
      expect(ran.out).toMatch(/trained tokens +\d/);
      expect(await readdir(out)).toContain('manifest.json');
    }));
});

describe('interrupting', () => {
  test('leaves no finished output', () =>
    inDirectory(async (directory) => {
      const [input, out] = [join(directory, 'in'), join(directory, 'out')];
      await mkdir(input);
      const replies = Array.from({ length: 200 }, (_, index) => ({ text: `Reply ${String(index)}`, stop: 'end_turn' }));
      for (let index = 0; index < 60; index++) await writeFile(join(input, `${String(index)}.jsonl`), claudeSession(replies, `s${String(index)}`));
      const ran = await spawned(['replay', input, '--out', out], {
        onStart: (child) => {
          const timer = setInterval(() => {
            if (!existsSync(join(out, '.ledger.jsonl.partial'))) return;
            clearInterval(timer);
            child.kill('SIGINT');
          }, 20);
        },
      });
      expect(ran).toMatchObject({ code: 130, out: '', err: '' });
      expect(await readdir(out)).toEqual([]);
    }));

  test('by a reader that closes early is no error', async () => {
    const ran = await spawned(['formats', '--json'], { onStart: (child) => { child.stdout?.destroy(); } });
    expect(ran).toMatchObject({ code: 0, err: '' });
  });
});
