/** Prints the peak memory of recording and merging one session, as JSON; what the session's input takes is in `before`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createTurnRecorder, lossless } from '@turnwright/trajectory';
import { growingSession, uniqueTokens } from './trajectory-sessions.mjs';

const session = process.argv[2] === 'full' ? growingSession(200, 131_072) : growingSession(5000, 1_000_000, { tailsOnly: true });
globalThis.gc?.();
const measurable = forgetPeak();
const before = process.memoryUsage().rss;
const recorder = createTurnRecorder();
for (const turn of session) recorder.record(turn);
const result = lossless.merge(recorder.turns);
const peak = peakBytes();
console.log(JSON.stringify({ tokens: uniqueTokens(session), before, peak, segments: result.segments.length, measurable }));

/** Linux counts the peak anew from here; elsewhere it is the process's, loading included. */
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false;
  }
}

function peakBytes() {
  if (!measurable) return process.resourceUsage().maxRSS * 1024;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
}
