import { AgentError } from '@turnwright/contracts';
import { fieldsOf, type Fields } from './request-fields.js';
import { answerFanOut, answerMergeTurns } from './slime/slime-requests.js';
import { answerAsDict, answerBatch, answerColumns, answerPad, answerRoutedExperts, answerTransferQueueRows } from './verl/verl-requests.js';

export interface TrajectoryRequest {
  readonly id: string;
  readonly op: string;
  readonly input: unknown;
}

export type TrajectoryAnswer = { readonly id: string; readonly result: unknown } | { readonly id: string; readonly error: { readonly code: string; readonly message: string } };

const OPERATIONS = new Map<string, (input: Fields) => unknown>([
  ['slime.merge_turns', answerMergeTurns],
  ['slime.fan_out_sample_segments', answerFanOut],
  ['verl.as_dict', answerAsDict],
  ['verl.routed_experts', answerRoutedExperts],
  ['verl.pad', answerPad],
  ['verl.batch', answerBatch],
  ['verl.transfer_queue_rows', answerTransferQueueRows],
  ['verl.columns', answerColumns],
]);

/** Answers a request of the trajectory conformance suite; a wrong input is an error in the answer, not an exception. */
export function answerTrajectoryRequest({ id, op, input }: TrajectoryRequest): TrajectoryAnswer {
  const operation = OPERATIONS.get(op);
  if (operation === undefined) return { id, error: { code: 'unsupported', message: `Unknown operation "${op}". Known: ${[...OPERATIONS.keys()].join(', ')}.` } };
  try {
    return { id, result: operation(fieldsOf(input, 'input')) };
  } catch (error) {
    if (error instanceof AgentError) return { id, error: { code: error.code, message: error.message } };
    throw error;
  }
}
