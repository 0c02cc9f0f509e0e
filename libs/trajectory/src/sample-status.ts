import type { FinishReason, SampleStatus } from '@turnwright/contracts';

/** How a row ended, from how its last call did. */
export function statusOf(reason: FinishReason): SampleStatus {
  if (reason === 'length') return 'truncated';
  return reason === 'aborted' || reason === 'failed' ? reason : 'completed';
}
