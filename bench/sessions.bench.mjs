/**
 * Reading sessions, without making samples of them, against splitting the same file into lines and JSON.parse.
 *
 * Prediction, written before this bench first ran: the Claude Code reader parses each record twice (an index, then the session's own records),
 * so half the speed of bare lines; the messages reader once, so nearly all of it. Memory does not grow with the file.
 * Observation: see OBSERVED, which the bench prints after this run's own.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WORKSPACE = fileURLToPath(new URL('../', import.meta.url));
/** `TURNWRIGHT_BENCH_MB=1000` for the gigabyte of the target. */
const MEGABYTES = Number(process.env.TURNWRIGHT_BENCH_MB ?? 200);
const TARGET = { megabytesPerSecond: 100, memory: 400 };
const OBSERVED = '200 MB on a machine that three other jobs shared: Claude Code 30 MB/s (3.9 times bare lines), messages 34 MB/s (4.0 times); peaks 174 and 118 MB. Against the prediction the messages reader is as far from bare lines: hashing replies for their identity and finding raw arguments cost as much as parsing'

/** Output of a command, as long as such outputs often are. */
const OUTPUT = Array.from({ length: 400 }, (_, line) => `test/case-${line}.test.js: ok ${(line * 7919) % 104_729} assertions in ${line} ms`).join('\\n');

const SHAPES = {
  'claude-code': (copy) => {
    const tag = copy.toString(16).padStart(8, '0');
    return EXAMPLE.replaceAll('5b0c2f0e-', `${tag}-`).replaceAll('7d1f0000-', `${tag}-`).replaceAll('msg_0', `msg_${tag}_0`).replaceAll('toolu_0', `toolu_${tag}_0`);
  },
  'messages': (copy) => `{"id": "row-${copy}", "messages": [{"role": "user", "content": "Fix case ${copy}."}, {"role": "assistant", "content": "", "tool_calls": [{"id": "c${copy}", "type": "function", "function": {"name": "run", "arguments": "{\\"n\\": ${copy}}"}}]}, {"role": "tool", "tool_call_id": "c${copy}", "content": "${OUTPUT}"}, {"role": "assistant", "content": "Done with ${copy}."}]}\n`,
};
const EXAMPLE = readFileSync(join(WORKSPACE, 'examples/sessions/fix-slugify.jsonl'), 'utf8').replace('"content": "passed"}]}', `"content": "${OUTPUT}"}]}, "toolUseResult": {"stdout": "${OUTPUT}", "originalFile": "${OUTPUT.repeat(4)}"}`);

export default async function bench({ log = console.log } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'turnwright-bench-'));
  let held = true;
  try {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const file = join(directory, `${name}.jsonl`);
      const megabytes = write(file, shape) / 1e6;
      const [bare, read] = [run('lines', file), run('reader', file)];
      const speed = megabytes / read.seconds;
      const holds = speed >= TARGET.megabytesPerSecond && read.megabytes < TARGET.memory;
      held &&= holds;
      log(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${speed.toFixed(0)} MB/s over ${megabytes.toFixed(0)} MB (target ${TARGET.megabytesPerSecond}), ${(read.seconds / bare.seconds).toFixed(2)} times bare lines and JSON.parse (${(megabytes / bare.seconds).toFixed(0)} MB/s); peak ${read.megabytes.toFixed(0)} MB (target ${TARGET.memory}), bare ${bare.megabytes.toFixed(0)} MB; ${read.calls.toLocaleString('en-US')} calls`);
      rmSync(file);
    }
    log(`observed before: ${OBSERVED}`);
    return { held };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function write(path, shape) {
  const file = openSync(path, 'w');
  let bytes = 0;
  for (let copy = 0; bytes < MEGABYTES * 1e6; copy++) bytes += writeSync(file, shape(copy));
  closeSync(file);
  return bytes;
}

function run(how, file) {
  const ran = spawnSync(process.execPath, [join(WORKSPACE, 'bench/sessions-read.mjs'), how, file], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`Expected a reading that ends well, found exit code ${ran.status}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
