/**
 * The trajectory engine against its targets, and against a merge that slices.
 *
 * Prediction, written before this bench first ran but after a look at the recorder alone: comparing 13.1 M ids reads 105 MB, which memory gives in some 10 ms, so recording from full
 * prompts is bound by memory and nothing else; a merge of what was recorded copies 131,072 ids once, some 1 ms; a million tokens as tails
 * is 10,000 small copies and 5,000 records, some 30 ms; a slicing merge moves 13 M ids twice per turn and is at least 10 times slower.
 * Observation, Node 20.20 on 2 cores that other work kept at a load of 5 to 8: see OBSERVED, which the bench prints after this run's own.
 */
import { cpus, loadavg } from 'node:os';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createTurnRecorder, lossless } from '@turnwright/trajectory';
import { reslicingMerge } from './trajectory-reslicing.mjs';
import { growingSession } from './trajectory-sessions.mjs';

const OBSERVED = 'recording 8 to 16 ms (processor 10 to 11), merging 1.1 to 1.7 ms; 5,000 turns 50 to 70 ms (processor 33 to 67); drift 1.3 times; a merge that slices 110 to 300 times slower; against the prediction, tails cost up to twice as much and the slicing merge far more';

/** Best and middle of several runs, in milliseconds, and the best processor time; each run gets what `prepare` makes. */
function timed(runs, prepare, work) {
  const times = [];
  let cpu = Infinity;
  for (let i = 0; i < runs; i++) {
    const given = prepare();
    const [before, start] = [process.cpuUsage(), performance.now()];
    work(given);
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpu = Math.min(cpu, (user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { best: times[0], median: times[runs >> 1], cpu };
}

function record(session) {
  const recorder = createTurnRecorder();
  for (const turn of session) recorder.record(turn);
  return recorder.turns;
}

function measure(session, runs = 25) {
  const recording = timed(runs, () => session, record);
  const merging = timed(runs, () => record(session), (turns) => lossless.merge(turns));
  const both = timed(runs, () => session, (given) => lossless.merge(record(given)));
  return { recording, merging, both };
}

const ms = (value) => `${value.toFixed(1)} ms`;

export default function run({ log = console.log } = {}) {
  let held = true;
  log(`        ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}: other work on the machine shows in the times`);
  const target = (title, { best, median, cpu }, limit) => {
    const ok = best <= limit;
    held &&= ok;
    log(`${ok ? 'holds ' : 'MISSED'}  ${title}: best ${ms(best)}, median ${ms(median)}, processor ${ms(cpu)}; target ${ms(limit)}`);
  };
  const full = growingSession(200, 131_072);
  const plain = measure(full);
  target('record 200 turns from full prompts, 131,072 tokens', plain.recording, 15);
  target('merge them', plain.merging, 3);
  const listed = full.map((turn) => ({ ...turn, promptIds: Array.from(turn.promptIds) }));
  const asLists = timed(5, () => listed, record);
  log(`        the same prompts as plain arrays: best ${ms(asLists.best)}, median ${ms(asLists.median)}`);
  const long = growingSession(5000, 1_000_000, { tailsOnly: true });
  target('record and merge 5,000 turns as tails, 1,000,000 tokens', measure(long).both, 60);
  const drifting = measure(growingSession(200, 131_072, { driftEvery: 10 }));
  const ratio = drifting.both.best / plain.both.best;
  held &&= ratio <= 2;
  log(`${ratio <= 2 ? 'holds ' : 'MISSED'}  drift every tenth turn: ${ms(drifting.both.best)} against ${ms(plain.both.best)}, ${ratio.toFixed(2)} times; target 2`);
  const slicing = timed(3, () => listed.map((turn) => ({ ...turn, outputIds: Array.from(turn.outputIds) })), reslicingMerge);
  log(`        a merge that slices: best ${ms(slicing.best)}, ${(slicing.best / plain.both.best).toFixed(1)} times ours`);
  for (let turns = 25, before; turns <= 800; turns *= 2) {
    const { both } = measure(growingSession(turns, 131_072), 7);
    log(`        ${String(turns).padStart(4)} turns to 131,072 tokens: ${ms(both.best)}${before === undefined ? '' : `, ${(both.best / before).toFixed(2)} times for twice the turns`}`);
    before = both.best;
  }
  for (let tokens = 250_000, before; tokens <= 4_000_000; tokens *= 2) {
    const { both } = measure(growingSession(tokens / 200, tokens, { tailsOnly: true }), 5);
    log(`        ${String(tokens).padStart(7)} tokens as tails: ${ms(both.best)}${before === undefined ? '' : `, ${(both.best / before).toFixed(2)} times for twice the tokens`}`);
    before = both.best;
  }
  for (const kind of ['full', 'tails']) held = peakMemory(kind, log) && held;
  log(`        observed before: ${OBSERVED}`);
  return { held };
}

/** In a process of its own, since a peak is the process's: what recording and merging add to it. */
function peakMemory(kind, log) {
  const child = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(new URL('trajectory-memory.mjs', import.meta.url)), kind], { encoding: 'utf8' });
  const { tokens, before, peak } = JSON.parse(child.stdout);
  const [used, limit] = [peak - before, 16 * tokens + 50e6];
  log(`${used <= limit ? 'holds ' : 'MISSED'}  peak memory, ${kind}: ${(used / 1e6).toFixed(1)} MB for ${tokens} unique tokens; target ${(limit / 1e6).toFixed(1)} MB`);
  return used <= limit;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run().held ? 0 : 1;
