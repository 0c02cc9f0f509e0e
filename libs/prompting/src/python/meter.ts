import { PythonError } from './values.js';

/**
 * Bounds what one run of a template may cost.
 *
 * The count is the module's, not a parameter of every operation: a run is synchronous and no run starts another.
 */
let [left, allowed] = [0, 0];

/** A second or two of work at most; prompts of some messages and a hundred tools take some hundred thousand. */
const STEPS_OF_A_RUN = 2_000_000;
/** What a run may take more for each message: the hungriest known template, which looks at all messages before each, takes 15,000 at ten thousand. */
const STEPS_OF_A_MESSAGE = 20_000;

export function startMeter(messageCount: number): void {
  left = allowed = STEPS_OF_A_RUN + messageCount * STEPS_OF_A_MESSAGE;
}

/** throws PythonError when the run has spent its steps */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new PythonError('TemplateRuntimeError', `the template took more than ${allowed} steps`);
}

/** What working through so many UTF-16 units counts. */
export function spendText(lengthUtf16: number): void {
  spend(lengthUtf16 >> 4);
}
