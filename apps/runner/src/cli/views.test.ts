import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from './program.js';
import { inDirectory, run, SESSION, spawned } from '../workspace.fixture.js';

describe('inspect', () => {
  test('finds a sample by its ordinal and by its id', () =>
    inDirectory(async (directory) => {
      await run('replay', SESSION, '--out', directory);
      const file = join(directory, 'samples-00000.jsonl');
      const byOrdinal = await run('inspect', file, '--sample', '0');
      expect(byOrdinal.out.split('\n')[0]).toMatch(/^5b0c2f0e-6a34-4d4b-9a55-3f6f5a0d7c21\/0000 {2}\d+ \+ \d+ tokens, 362 trained, completed, reward none, weight 1$/);
      expect(await run('inspect', file, '--sample', '5b0c2f0e-6a34-4d4b-9a55-3f6f5a0d7c21/0000')).toEqual(byOrdinal);
      expect(await run('inspect', file, '--sample', '1')).toMatchObject({ code: 2, err: expect.stringContaining('expected a sample "1" (an id, or an ordinal from 0), found 1 samples without it') as string });
    }));

  test('paints trained text green and the rest dim on a terminal, and marks it elsewhere', () =>
    inDirectory(async (directory) => {
      await run('replay', SESSION, '--out', directory);
      const lines: string[] = [];
      const output = { line: (text: string) => { lines.push(text); }, note: () => undefined, isTerminal: true };
      await runCommandLine(['inspect', join(directory, 'samples-00000.jsonl')], output);
      expect(lines.join('\n')).toContain("\u001b[32mI'll read the function and its test.\u001b[0m");
      expect(lines.join('\n')).toContain('\u001b[2m<|im_start|>user\u001b[0m');
      lines.length = 0;
      await runCommandLine(['inspect', join(directory, 'samples-00000.jsonl'), '--no-color'], output);
      expect(lines.join('\n')).not.toContain('\u001b');
      expect(lines.join('\n')).toContain('⟦<think>');
    }));

  test('wants to be told the tokenizer where no manifest says it', () =>
    inDirectory(async (directory) => {
      await run('replay', SESSION, '--out', join(directory, 'run'));
      const alone = join(directory, 'samples.jsonl');
      await cp(join(directory, 'run/samples-00000.jsonl'), alone);
      expect(await run('inspect', alone)).toMatchObject({ code: 2, err: expect.stringContaining('no manifest.json beside it names the tokenizer; say --tokenizer NAME') as string });
      expect(await run('inspect', alone, '--tokenizer', 'qwen3')).toMatchObject({ code: 0 });
    }));

  test('names the line of a sample that is cut', () =>
    inDirectory(async (directory) => {
      await writeFile(join(directory, 's.jsonl'), '{"id":"a","session_id":"s","rollout_id":"s","prom');
      expect(await run('inspect', join(directory, 's.jsonl'))).toMatchObject({ code: 2, err: expect.stringContaining('line 1: ') as string });
    }));

  test('shows the calls of a session', async () => {
    const { out, code } = await run('inspect', SESSION);
    expect(code).toBe(0);
    expect(out).toMatch(/^session 5b0c2f0e-.* \(claude-code\): 5 calls, system prompt unknown, tools unknown/);
    expect(out).toMatch(/msg_01 +– +main +reasoning, text, Read, Read +tool-calls/);
  });

  test('says what a directory is not', async () => {
    expect(await run('inspect', '/')).toMatchObject({ code: 2, err: 'turnwright: File /: expected a readable file, found EISDIR.' });
  });
});

describe('formats and recipes', () => {
  test('are listed, and shown one by one', async () => {
    expect((await run('formats')).out).toMatch(/^hermes +json +think/m);
    expect((await run('formats', 'qwen25')).out).toContain('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}}\n</tool_call>');
    expect((await run('recipes')).out).toMatch(/^final-answer +Trains only/m);
    expect((await run('recipes', 'coding-agent')).out).toMatch(/^ {2}history +as-sent\|as-sampled +default "as-sent"/m);
  });

  test('are JSON for machines', async () => {
    expect((JSON.parse((await run('formats', '--json')).out) as { name: string }[]).map(({ name }) => name)).toContain('qwen3_coder');
    expect(JSON.parse((await run('recipes', 'final-answer', '--json')).out)).toMatchObject({ name: 'final-answer', options: { policy: { default: 'lossless' } } });
  });

  test('that are unknown come with those that are known', async () => {
    expect(await run('recipes', 'nope')).toMatchObject({ code: 2, err: 'turnwright: Unknown recipe "nope". Known: coding-agent, final-answer, langgraph.' });
  });
});

describe('parse', () => {
  const output = 'Look.\n<tool_call>\n{"name": "ls", "arguments": {"path": "."}}\n</tool_call>\n<tool_call>\n{"name": "cat", "argu';

  test('takes standard input apart, and notes what is no call', async () => {
    expect(await spawned(['parse', '--tool-call-parser', 'hermes', '--cut', '-'], { input: output })).toEqual({ code: 0, out: 'text: Look.\ncall ls {"path": "."}\n', err: 'call 1 cat: incomplete\n' });
  });

  test('refuses an unknown format, a missing file and bad tools', async () => {
    expect(await run('parse', '--tool-call-parser', 'nope', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('Unknown tool-call format "nope"') as string });
    expect(await run('parse', '--tool-call-parser', 'hermes', '/nowhere')).toMatchObject({ code: 2, err: 'turnwright: Input /nowhere: expected a readable file, found ENOENT.' });
    expect(await run('parse', '--tool-call-parser', 'hermes', '--tools', SESSION, SESSION)).toMatchObject({ code: 2, err: expect.stringContaining('expected a JSON list of tools') as string });
  });
});

describe('conformance', () => {
  test('answers in order, and a line that is no request with an error', async () => {
    const requests = ['{"id": "a", "format": "hermes", "text": "hi"}', '', '{broken', '[1]', '{"id": "b", "format": "nope", "text": ""}', '{"id": "c", "format": 7}'];
    const { out, code } = await spawned(['conformance', 'parse'], { input: requests.join('\n') });
    const answers = out.trimEnd().split('\n').map((line) => JSON.parse(line) as { id: string | null; content?: string; error?: { code: string; message: string } });
    expect(code).toBe(0);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([['a', undefined], [null, 'bad-request'], [null, 'bad-request'], ['b', 'unknown-name'], ['c', 'bad-request']]);
    expect(answers[0]?.content).toBe('hi');
  });

  test('refuses an unknown suite', async () => {
    expect(await run('conformance', 'nope')).toMatchObject({ code: 2, err: 'turnwright: Unknown conformance suite "nope". Known: parse, trajectory, sessions, render, tokens.' });
  });
});

test('an unknown command is a usage error', async () => {
  expect(await run('frobnicate')).toMatchObject({ code: 2, err: expect.stringContaining("unknown command 'frobnicate'") as string });
  expect(await run('--version')).toMatchObject({ code: 0, out: '0.1.0' });
});
