import type { TrainingSample, TrainingSampleRow } from '@turnwright/contracts';

/** The spans in the names of the row. */
export function spanRows(sample: TrainingSample): TrainingSampleRow['spans'] {
  return sample.spans.map(({ span, kind, callId }) => ({ start: span.start, end: span.end, kind, call_id: callId }));
}
