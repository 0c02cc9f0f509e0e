import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeSession, filesOf, inDirectory, rowsOf, run } from '../workspace.fixture.js';

const key = ['sk', 'ant', 'api03', 'A'.repeat(40)].join('-');

test('--redact writes no secret anywhere, trains as many replies, and says so in the manifest', () =>
  inDirectory(async (directory) => {
    const home = join(directory, 'home', 'janedoe');
    const file = join(home, 's.jsonl');
    await mkdir(home, { recursive: true });
    await writeFile(file, claudeSession([{ text: `The key ${key} of jane@mail.example is in /home/janedoe/.env now.`, stop: 'end_turn' }, { text: 'Done.', stop: 'end_turn' }], 's'));
    const [open, redacted] = [join(directory, 'open'), join(directory, 'redacted')];
    expect(await run('replay', file, '--out', open)).toMatchObject({ code: 0 });
    expect(await run('replay', file, '--redact', '--out', redacted)).toMatchObject({ code: 0 });
    expect(Object.values(await filesOf(open)).join('')).toContain('janedoe');
    expect(Object.values(await filesOf(redacted)).join('')).not.toMatch(/janedoe|jane@mail|AAAAAA/);
    expect(JSON.parse(await readFile(join(redacted, 'manifest.json'), 'utf8'))).toMatchObject({ redacted: true });
    const shown = await run('inspect', join(redacted, 'samples-00000.jsonl'), '--no-color');
    expect(shown.out).toContain('⟦The key [redacted:api-key] of [redacted:email] is in /home/[redacted:home]/.env now.<|im_end|>⟧');
    expect((await rowsOf(redacted)).length).toBe((await rowsOf(open)).length);
  }));
