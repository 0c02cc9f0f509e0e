import type { FinishReason, MergeResult, SampleStatus, TokenSegment, TrainingSample } from '@turnwright/contracts';
import { rewardOfRow, type RewardMode } from './rewards.js';
import { trainableTokens } from './segment-row.js';

/** How the rows of a rollout share its weight of 1: equally, or by their trained tokens. */
export type WeightMode = 'equal' | 'trained-tokens';

export interface AssembleRequest {
  readonly sessionId: string;
  readonly rolloutId: string;
  readonly groupId: string;
  readonly mergeResult: MergeResult;
  /** null when nothing scored the rollout */
  readonly reward: number | null;
  /** `full` when absent. */
  readonly rewardMode?: RewardMode;
  /** `equal` when absent. */
  readonly weightMode?: WeightMode;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface AssembledSamples {
  readonly samples: readonly TrainingSample[];
  /** Id of the sample that each segment became; undefined for a segment that was skipped. */
  readonly sampleIds: readonly (string | undefined)[];
  /** Segments without a trained token: their loss would be 0 / 0. */
  readonly skippedSegments: readonly number[];
}

/** Makes rows for a trainer from merged turns; rows are numbered without the skipped segments. */
export function assembleSamples(request: AssembleRequest): AssembledSamples {
  const { segments } = request.mergeResult;
  const trained = segments.map((segment) => trainableTokens(segment.lossMask));
  const kept = segments.flatMap((_, index) => (trained[index] === 0 ? [] : [index]));
  const weights = weightsOf(kept.map((index) => trained[index] ?? 0), request.weightMode ?? 'equal');
  const sampleIds = new Array<string | undefined>(segments.length).fill(undefined);
  const samples = kept.flatMap((index, ordinal) => {
    const segment = segments[index];
    if (segment === undefined) return [];
    const id = `${request.sessionId}/${String(ordinal).padStart(4, '0')}`;
    sampleIds[index] = id;
    return [sampleOf(segment, { id, ordinal, count: kept.length, weight: weights[ordinal] ?? 0 }, request)];
  });
  return { samples, sampleIds, skippedSegments: segments.flatMap((_, index) => (trained[index] === 0 ? [index] : [])) };
}

interface Row {
  readonly id: string;
  readonly ordinal: number;
  readonly count: number;
  readonly weight: number;
}

function sampleOf(segment: TokenSegment, row: Row, request: AssembleRequest): TrainingSample {
  const { finishReason, ...tokens } = segment;
  return {
    ...tokens,
    id: row.id,
    sessionId: request.sessionId,
    rolloutId: request.rolloutId,
    groupId: request.groupId,
    segmentIndex: row.ordinal,
    segmentCount: row.count,
    reward: request.reward === null ? null : rewardOfRow(request.reward, request.rewardMode ?? 'full', row.ordinal, row.count),
    weight: row.weight,
    status: statusOf(finishReason),
    metadata: request.metadata ?? {},
  };
}

function weightsOf(trained: readonly number[], mode: WeightMode): number[] {
  const total = trained.reduce((sum, count) => sum + count, 0);
  return trained.map((count) => (mode === 'equal' ? 1 / trained.length : count / total));
}

function statusOf(reason: FinishReason): SampleStatus {
  if (reason === 'length') return 'truncated';
  return reason === 'aborted' || reason === 'failed' ? reason : 'completed';
}
