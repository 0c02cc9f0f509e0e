import { spend } from '../python/meter.js';
import type { Value } from '../python/values.js';
import type { Execute, Frame, Run, Signal } from './frame.js';
import type { Loop } from './loop.js';
import type { Body, Statement } from './nodes.js';
import type { ScanRun } from './scan-history.js';
import { holds, repeatWrites, Tracer, type Segment, type Trace } from './trace.js';

/** Whether a turn of an outermost loop may be remembered now: not inside a captured block, and not inside another such turn. */
export function canMemoise(run: Run): boolean {
  return run.memo !== undefined && run.out === run.top && run.tracer === undefined;
}

/** The turns at the loop's beginning that are as in the last run of it: done again at once. Returns how many. */
export function resume(run: Run, loopNode: object, items: readonly Value[]): number {
  if (run.memo === undefined) return 0;
  run.endLooseSegment();
  const turns = run.memo.historyOf(loopNode).resume(items, run);
  spend(turns);
  return turns;
}

/**
 * Runs a turn of a loop, or repeats what it did for the same item when everything that it read is as it was.
 *
 * That is why a history costs nothing again: a template's loop over messages reads little besides the message. What it reads is
 * found by running it, not assumed of a family of templates.
 */
export function memoised(loopNode: object, body: Execute, frame: Frame, loop: Loop): Signal {
  const { run } = frame;
  const item = loop.items.at(loop.index);
  const [memo, outermost] = [run.memo, run.outermost];
  if (memo === undefined || outermost === undefined || typeof item !== 'object' || item === null) return body(frame);
  run.endLooseSegment();
  const known = memo.tracesOf(loopNode, item).find((trace) => holds(trace, loop, outermost));
  if (known !== undefined) {
    spend(1);
    repeatWrites(known.writes, outermost);
    run.add(known.segment);
    memo.historyOf(loopNode).add(loop.index, known, run);
    return known.signal;
  }
  const tracer = new Tracer(loop);
  run.tracer = tracer;
  const signal = body(frame);
  run.tracer = undefined;
  const segment = run.endSegment();
  if (tracer.opaque) return signal;
  const trace = traceOf(tracer, segment, signal);
  memo.add(loopNode, item, trace);
  memo.historyOf(loopNode).add(loop.index, trace, run);
  return signal;
}

/** Runs a turn of a loop that looks back, and takes down whether it did anything. */
export function scanned(scan: ScanRun, body: Execute, frame: Frame, loop: Loop): Signal {
  const { run } = frame;
  const tracer = new Tracer(loop);
  run.tracer = tracer;
  const signal = body(frame);
  run.tracer = undefined;
  scan.ran(loop.index, tracer, signal);
  return signal;
}

function traceOf({ reads, bounds, loopReads, writes: written }: Tracer, segment: Segment, signal: Signal): Trace {
  return { reads: [...reads.values()], bounds: [...bounds.values()], loopReads: [...loopReads], writes: [...written.values()], segment, signal, readsCount: COUNTS.some((name) => loopReads.has(name)) };
}

const COUNTS = ['length', 'revindex', 'revindex0'];

/** Whether statements make macros, which keep the frame that they were made in. */
export function definesFunctions(body: Body): boolean {
  return body.some((statement) => statement.kind === 'macro' || statement.kind === 'call-block' || Object.values(statement).some((part) => isBody(part) && definesFunctions(part)) || (statement.kind === 'if' && statement.branches.some((branch) => definesFunctions(branch.body))));
}

function isBody(part: unknown): part is Body {
  return Array.isArray(part) && part.every((entry: unknown) => typeof entry === 'object' && entry !== null && 'kind' in entry);
}

/** Whether statements write anything: a loop that only looks is run faster than checked. */
export function writes(body: Body): boolean {
  return body.some(statementWrites);
}

function statementWrites(statement: Statement): boolean {
  switch (statement.kind) {
    case 'text': case 'output': case 'call-block': case 'filter-block': case 'generation': return true;
    case 'if': return [...statement.branches.map((branch) => branch.body), statement.otherwise].some(writes);
    case 'for': return writes(statement.body) || writes(statement.otherwise);
    case 'with': return writes(statement.body);
    default: return false;
  }
}
