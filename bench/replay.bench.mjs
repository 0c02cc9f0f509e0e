import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plugin } from '@turnwright/prompting';

const WORKSPACE = fileURLToPath(new URL('../', import.meta.url));
const COPIES = 500;
const ROUNDS = 3;

/** Replaying the example over and over, against reading its lines only and against tokenising its text once. */
export default async function bench() {
  const directory = mkdtempSync(join(tmpdir(), 'turnwright-bench-'));
  try {
    const file = join(directory, 'sessions.jsonl');
    writeFileSync(file, corpus());
    const replays = rounds(() => replay(file, join(directory, 'out')));
    const best = replays.reduce((a, b) => (a.seconds < b.seconds ? a : b));
    const tokens = best.summary.outputTokens;
    const reading = Math.min(...rounds(() => timed(() => readLines(file))));
    const tokenizer = await plugin.tokenizers[0].load();
    const texts = textsOf(file);
    const tokenising = Math.min(...rounds(() => timed(() => { for (const text of texts) tokenizer.encodePlain(text); })));
    return [
      `${Math.round(tokens / best.seconds).toLocaleString('en-US')} tokens/s: ${tokens.toLocaleString('en-US')} tokens of ${best.summary.calls.toLocaleString('en-US')} calls in ${best.seconds.toFixed(2)} s, the best of ${String(ROUNDS)}`,
      `${(best.seconds / reading).toFixed(1)} times the ${reading.toFixed(3)} s of splitting the lines and JSON.parse`,
      `${(best.seconds / tokenising).toFixed(1)} times the ${tokenising.toFixed(3)} s of tokenising the text of every message once`,
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function corpus() {
  const session = readFileSync(join(WORKSPACE, 'examples/sessions/fix-slugify.jsonl'), 'utf8');
  return Array.from({ length: COPIES }, (_, copy) => {
    const tag = copy.toString(16).padStart(8, '0');
    return session.replaceAll('5b0c2f0e-', `${tag}-`).replaceAll('7d1f0000-', `${tag}-`).replaceAll('msg_0', `msg_${tag}_0`).replaceAll('toolu_0', `toolu_${tag}_0`);
  }).join('');
}

function replay(file, out) {
  const ran = spawnSync(process.execPath, [join(WORKSPACE, 'apps/runner/bin/turnwright.js'), 'replay', file, '--out', out, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (ran.status !== 0) throw new Error(`Expected a replay that ends well, found exit code ${String(ran.status)}: ${ran.stderr}`);
  const summary = JSON.parse(ran.stdout);
  // The command's own time: without starting Node, with loading the tokenizer.
  return { summary, seconds: summary.seconds };
}

function readLines(file) {
  return readFileSync(file, 'utf8').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

function textsOf(file) {
  const texts = [];
  for (const { message } of readLines(file)) {
    if (message === undefined) continue;
    if (typeof message.content === 'string') texts.push(message.content);
    else for (const block of message.content) texts.push(block.text ?? block.thinking ?? (typeof block.content === 'string' ? block.content : JSON.stringify(block.input ?? '')));
  }
  return texts;
}

function rounds(action) {
  return Array.from({ length: ROUNDS }, action);
}

function timed(action) {
  const started = performance.now();
  action();
  return (performance.now() - started) / 1000;
}
