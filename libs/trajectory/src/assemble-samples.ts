import { AgentError, type MergeResult, type TokenSegment, type TrainingSample } from '@turnwright/contracts';
import { rewardOfRow, type RewardMode } from './rewards.js';
import { placeRows } from './packing/pack-segments.js';
import { statusOf } from './sample-status.js';
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
  /** Rewards of single steps, by the turn's id. A turn that no row trains gives its reward to `unplaced`. */
  readonly stepRewards?: ReadonlyMap<string, number>;
}

export interface AssembledSamples {
  readonly samples: readonly TrainingSample[];
  /** Id of the sample that each segment became; undefined for a segment that was skipped. */
  readonly sampleIds: readonly (string | undefined)[];
  /** Segments without a trained token: their loss would be 0 / 0. */
  readonly skippedSegments: readonly number[];
  /** Rewards that stand on no row: the rollout's, where it has no row with a trained token, and those of turns that no row trains. */
  readonly unplaced: { readonly reward: number | null; readonly turnIds: readonly string[] };
}

/**
 * Makes rows for a trainer from merged turns; rows are numbered without the skipped segments.
 *
 * throws AgentError `bad-contract` for a reward that is NaN or infinite
 */
export function assembleSamples(request: AssembleRequest): AssembledSamples {
  for (const reward of [request.reward ?? 0, ...(request.stepRewards?.values() ?? [])]) {
    if (!Number.isFinite(reward)) throw new AgentError('bad-contract', `Session "${request.sessionId}" has the reward ${String(reward)}; expected a finite number or null.`, { fields: { sessionId: request.sessionId } });
  }
  const { segments } = request.mergeResult;
  const trained = segments.map((segment) => trainableTokens(segment.lossMask));
  const kept = segments.flatMap((_, index) => (trained[index] === 0 ? [] : [index]));
  const weights = weightsOf(kept.map((index) => trained[index] ?? 0), request.weightMode ?? 'equal');
  const sampleIds = new Array<string | undefined>(segments.length).fill(undefined);
  const idOf = (ordinal: number) => `${request.sessionId}/${String(ordinal).padStart(4, '0')}`;
  const places = placeRows(kept.flatMap((index) => segments[index] ?? []));
  const samples = kept.flatMap((index, ordinal) => {
    const segment = segments[index];
    if (segment === undefined) return [];
    sampleIds[index] = idOf(ordinal);
    const { parentIndex, sharedLength } = places[ordinal] ?? { sharedLength: 0 };
    const sample = sampleOf(segment, { id: idOf(ordinal), ordinal, count: kept.length, weight: weights[ordinal] ?? 0 }, request);
    return [parentIndex === undefined ? sample : { ...sample, tree: { parentId: idOf(parentIndex), sharedLength } }];
  });
  const skippedSegments = segments.flatMap((_, index) => (trained[index] === 0 ? [index] : []));
  return { samples, sampleIds, skippedSegments, unplaced: { reward: kept.length === 0 ? request.reward : null, turnIds: unplacedTurns(samples, request.stepRewards) } };
}

function unplacedTurns(samples: readonly TrainingSample[], rewards: ReadonlyMap<string, number> = new Map()): string[] {
  const placed = new Set(samples.flatMap(({ turns, lossMask }) => turns.filter((turn) => lastTrained(turn, lossMask) !== undefined).map(({ id }) => id)));
  return [...rewards.keys()].filter((id) => !placed.has(id));
}

interface Row {
  readonly id: string;
  readonly ordinal: number;
  readonly count: number;
  readonly weight: number;
}

function sampleOf(segment: TokenSegment, row: Row, request: AssembleRequest): TrainingSample {
  const { finishReason, ...tokens } = segment;
  const stepRewards = request.stepRewards === undefined ? undefined : stepRewardsOf(segment, request.stepRewards);
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
    ...(stepRewards === undefined ? {} : { stepRewards }),
  };
}

function stepRewardsOf({ turns, lossMask }: TokenSegment, rewards: ReadonlyMap<string, number>): Float32Array {
  const row = new Float32Array(lossMask.length);
  for (const turn of turns) {
    const at = lastTrained(turn, lossMask);
    if (at !== undefined) row[at] = rewards.get(turn.id) ?? 0;
  }
  return row;
}

function lastTrained({ trained, outputSpan }: TokenSegment['turns'][number], lossMask: Uint8Array): number | undefined {
  for (let at = outputSpan.end - 1; trained && at >= outputSpan.start; at--) if (lossMask[at] === 1) return at;
  return undefined;
}

function weightsOf(trained: readonly number[], mode: WeightMode): number[] {
  const total = trained.reduce((sum, count) => sum + count, 0);
  return trained.map((count) => (mode === 'equal' ? 1 / trained.length : count / total));
}
