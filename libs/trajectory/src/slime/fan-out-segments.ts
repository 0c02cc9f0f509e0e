import type { FinishReason } from '@turnwright/contracts';
import { statusOf } from '../sample-status.js';
import { rewardOfRow, type RewardMode } from '../rewards.js';

/** The fields of slime's Sample that a fan-out reads or writes. */
export interface SlimeSample {
  readonly groupIndex: number | null;
  readonly index: number | null;
  readonly rolloutId: number | null;
  readonly prompt: string;
  readonly tokens: readonly number[];
  readonly response: string;
  readonly responseLength: number;
  readonly label: string | null;
  readonly reward: number | null;
  readonly lossMask: readonly number[] | null;
  readonly rolloutLogProbs: readonly number[] | null;
  readonly removeSample: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly sessionId: string | null;
  readonly trainMetadata: Readonly<Record<string, unknown>> | null;
  readonly status: 'pending' | 'completed' | 'truncated' | 'aborted' | 'failed';
}

export interface FanOutOptions {
  readonly decode: (ids: readonly number[]) => string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The sample's own index when absent. */
  readonly rolloutId?: number;
}

/** A segment of either kind: slime's, or one of a merge policy. */
export interface FanOutSegment {
  readonly promptIds: ArrayLike<number>;
  readonly responseIds: ArrayLike<number>;
  readonly lossMask: ArrayLike<number>;
  readonly logprobs?: ArrayLike<number>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** slime's own segments have none, and all end as `completed`. */
  readonly finishReason?: FinishReason;
}

/** A sample of a rollout's several. */
export interface FannedSample extends SlimeSample {
  /** The weights of a rollout's samples sum to 1. */
  readonly weight: number;
}

/**
 * One sample for each segment of a rollout; `split` is slime's own way with the reward.
 *
 * Later metadata wins: the sample's, the call's, the segment's, then `segment_idx` and `num_segments`. Unlike slime's, the input sample is not changed.
 * source slime #1960 (ad3b87445) fan_out_sample_segments, write_segment_to_sample
 */
export function fanOutSegments(sample: SlimeSample, segments: readonly FanOutSegment[], reward: number, mode: RewardMode, options: FanOutOptions): FannedSample[] {
  const count = segments.length;
  return segments.map((segment, index) => {
    const [promptIds, responseIds] = [Array.from(segment.promptIds), Array.from(segment.responseIds)];
    return {
      ...sample,
      rolloutId: options.rolloutId ?? sample.index,
      tokens: [...promptIds, ...responseIds],
      response: options.decode(responseIds),
      responseLength: responseIds.length,
      reward: rewardOfRow(reward, mode, index, count),
      lossMask: Array.from(segment.lossMask),
      ...(segment.logprobs === undefined ? {} : { rolloutLogProbs: Array.from(segment.logprobs) }),
      metadata: { ...sample.metadata, ...options.metadata, ...segment.metadata, segment_idx: index, num_segments: count },
      status: segment.finishReason === undefined ? 'completed' : statusOf(segment.finishReason),
      weight: 1 / count,
    };
  });
}
