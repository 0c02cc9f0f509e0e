import { PythonError } from './values.js';

/**
 * Bounds what one run of a template may cost.
 *
 * The count is the module's, not a parameter of every operation: a run is synchronous and no run starts another.
 */
let left = 0;

/** More than a history of 100,000 messages takes, and some seconds of work at most. */
const STEPS_OF_A_RUN = 50_000_000;

export function startMeter(): void {
  left = STEPS_OF_A_RUN;
}

/** throws PythonError when the run has spent its steps */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new PythonError('TemplateRuntimeError', `the template took more than ${STEPS_OF_A_RUN} steps`);
}

/** What working through so many UTF-16 units counts. */
export function spendText(lengthUtf16: number): void {
  spend(lengthUtf16 >> 5);
}
