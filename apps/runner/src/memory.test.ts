import { existsSync, readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory, SESSION, spawned } from './workspace.fixture.js';

const CORPUS_BYTES = 100e6;
const LIMIT_MEGABYTES = 600;

const present = existsSync('/proc/self/status');
if (!present) console.info('skipped: no /proc here that tells the memory of a process');

/** Output of a command, as long as such outputs often are. */
const OUTPUT = Array.from({ length: 400 }, (_, line) => `test/case-${String(line)}.test.js: ok ${String((line * 7919) % 104_729)} assertions in ${String(line)} ms`).join('\\n');

/** The example over and over, each copy with ids of its own and long results, in one file; as in real files, most bytes are what the harness shows its user. */
async function writeCorpus(path: string): Promise<void> {
  const session = (await readFile(SESSION, 'utf8')).replace('"content": "passed"}]}', `"content": "${OUTPUT}"}]}, "toolUseResult": {"stdout": "${OUTPUT}", "originalFile": "${OUTPUT.repeat(4)}"}`);
  const file = await open(path, 'w');
  for (let copy = 0, bytes = 0; bytes < CORPUS_BYTES; copy++) {
    const tag = copy.toString(16).padStart(8, '0');
    const text = session.replaceAll('5b0c2f0e-', `${tag}-`).replaceAll('7d1f0000-', `${tag}-`).replaceAll('msg_0', `msg_${tag}_0`).replaceAll('toolu_0', `toolu_${tag}_0`);
    bytes += Buffer.byteLength(text);
    await file.write(text);
  }
  await file.close();
}

test.skipIf(!present)(`replaying 100 MB of sessions in one file takes less than ${String(LIMIT_MEGABYTES)} MB`, () =>
  inDirectory(async (directory) => {
    const corpus = join(directory, 'sessions.jsonl');
    await writeCorpus(corpus);
    let peakKilobytes = 0;
    const ran = await spawned(['replay', corpus, '--out', join(directory, 'out')], {
      onStart: (child) => {
        const timer = setInterval(() => {
          try {
            const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
            peakKilobytes = Math.max(peakKilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
          } catch {
            clearInterval(timer);
          }
        }, 100);
        child.on('exit', () => { clearInterval(timer); });
      },
    });
    console.info(`peak ${(peakKilobytes / 1024).toFixed(0)} MB; ${/speed .*/.exec(ran.out)?.[0] ?? ''}`);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(peakKilobytes / 1024).toBeLessThan(LIMIT_MEGABYTES);
  }), 600_000);
