import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { WORKSPACE } from './workspace.fixture.js';

const README = join(WORKSPACE, 'README.md');
const NOT_HERE = /^npm (ci|test)\b/;

/** The commands of the README's `sh` blocks; `npm ci` has run by now, and `npm test` is running. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n')).map((line) => line.replace(/\s+#.*$/, '').trim());
  return lines.flatMap((line) => {
    const command = line.split(/\s*&&\s*/).filter((part) => part !== '' && !part.startsWith('#') && !NOT_HERE.test(part)).join(' && ');
    return command === '' ? [] : [command];
  });
}

test('every command of the README ends well, one after the other', async () => {
  const commands = commandsOf(readFileSync(README, 'utf8'));
  expect(commands).toContain('npm run example');
  for (const command of commands) {
    const ran = await promisify(exec)(command, { cwd: WORKSPACE }).then(() => 'done', (error: unknown) => (error instanceof Error ? error.message : String(error)));
    expect(ran, command).toBe('done');
  }
}, 600_000);
