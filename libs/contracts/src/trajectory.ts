import { z } from 'zod';
import type { ExclusionReason, FinishReason } from './session.js';
import type { Span } from './span.js';

/** What a run of output tokens is. `template` tokens were written by the chat template and never carry loss. */
export type TokenSpanKind = 'text' | 'reasoning' | 'call' | 'end-of-turn' | 'template';

/** Why a run of output tokens is what it is. */
export interface TokenSpan {
  /** tokens, into the owner's ids */
  readonly span: Span;
  readonly kind: TokenSpanKind;
  readonly callId: string;
}

/**
 * One model call in tokens, stored as what it adds: never a full prompt per turn.
 *
 * The prompt is the first `keptPrefix` tokens of the parent's prompt ++ output, then `promptTail`.
 * shape  `outputIds`, `outputLossMask` and `outputLogprobs` are parallel `[T]`.
 */
export interface TurnRecord {
  /** The call's id. */
  readonly id: string;
  /** The turn whose prompt ++ output `keptPrefix` counts; absent: `keptPrefix` is 0. */
  readonly parentId?: string;
  readonly keptPrefix: number;
  readonly promptTail: Int32Array;
  readonly outputIds: Int32Array;
  /** 1 on tokens that were sampled and may be trained, else 0 */
  readonly outputLossMask: Uint8Array;
  /** nats; absent when the server gave none */
  readonly outputLogprobs?: Float32Array;
  readonly finishReason: FinishReason;
  /** Tile `outputIds`. */
  readonly spans?: readonly TokenSpan[];
  readonly exclusions?: readonly TokenExclusion[];
  /** Optional per-token data of the rollout. */
  readonly weightVersion?: string;
  readonly routedExperts?: Int16Array;
}

/** Output tokens that were sampled and are not trained, by reason; the reader of the ledger adds them up. */
export interface TokenExclusion {
  readonly reason: ExclusionReason;
  readonly count: number;
}

/**
 * Turns joined into one row.
 *
 * shape  `responseIds`, `lossMask` and `logprobs` are parallel `[T]`; the row is `promptIds` ++ `responseIds`.
 * source slime #1960 TokenSegment {prompt_ids, response_ids, loss_mask, metadata}
 */
export interface TokenSegment {
  readonly promptIds: Int32Array;
  readonly responseIds: Int32Array;
  readonly lossMask: Uint8Array;
  /** nats, 0 where the mask is 0; absent when no turn of the row had any */
  readonly logprobs?: Float32Array;
  /** The turns whose output stands in the row, first to last; `trained` is false for a turn that an earlier row trains. */
  readonly turns: readonly { readonly id: string; readonly trained: boolean; readonly outputSpan: Span }[];
  /** tokens, into `responseIds` */
  readonly spans: readonly TokenSpan[];
  readonly finishReason: FinishReason;
}

/** slime's and verl's rollout states. */
export type SampleStatus = 'completed' | 'truncated' | 'aborted' | 'failed';

/** One row for a trainer. */
export interface TrainingSample extends Omit<TokenSegment, 'finishReason'> {
  /** Unique in a run and the same in every run: session, then row. */
  readonly id: string;
  readonly sessionId: string;
  /** Rows of one rollout share its reward and are counted once in group statistics. */
  readonly rolloutId: string;
  readonly groupId: string;
  readonly segmentIndex: number;
  readonly segmentCount: number;
  /** null when nothing scored the rollout */
  readonly reward: number | null;
  /** The weights of a rollout's rows sum to 1. */
  readonly weight: number;
  readonly status: SampleStatus;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export const agentLoopMetricsSchema = z.object({
  generate_sequences: z.number().default(0),
  tool_calls: z.number().default(0),
  compute_score: z.number().default(0),
  num_preempted: z.int().default(-1),
});

/**
 * verl's AgentLoopOutput, at 1dda039b9c63.
 *
 * shape  `responseIds`, `responseMask` and `responseLogprobs` are parallel `[T]`.
 */
export interface AgentLoopOutput {
  readonly promptIds: readonly number[];
  readonly responseIds: readonly number[];
  readonly responseMask: readonly number[];
  readonly responseLogprobs?: readonly number[];
  readonly routedExperts?: unknown;
  readonly multiModalData?: Readonly<Record<string, unknown>>;
  readonly rewardScore?: number;
  readonly numTurns: number;
  readonly metrics: z.infer<typeof agentLoopMetricsSchema>;
  readonly extraFields: Readonly<Record<string, unknown>>;
}

/** What became of a call: the ledger has one line for every call of every session. */
export interface LedgerEntry {
  readonly sessionId: string;
  readonly callId: string;
  readonly file: string;
  readonly line: number;
  readonly byteOffset: number;
  /** Tokens that the call sampled: `sampled = trained + sum(excluded)`. */
  readonly sampledTokens: number;
  readonly trainedTokens: number;
  readonly excluded: readonly TokenExclusion[];
  readonly promptTokens: number;
  /** Ids of the rows that hold the reply; the first one trains it. */
  readonly sampleIds: readonly string[];
  /** Why the call opened a row instead of extending its parent's. */
  readonly boundary?: { readonly cause: BoundaryCause; readonly firstDifference: number };
  /** `control-text-in-content`, `retokenised`, `reasoning-withheld`, … */
  readonly flags: readonly string[];
  readonly promptStatus: string;
}

/** Why a prompt does not continue what went before it. */
export type BoundaryCause =
  | 'first-call'
  | 'branch'
  | 'template-dropped-reasoning'
  | 'retokenised-history'
  | 'harness-rewrite'
  | 'context-operation'
  | 'unknown';

export const trainingSampleSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  rollout_id: z.string(),
  group_id: z.string(),
  segment_index: z.int().nonnegative(),
  segment_count: z.int().positive(),
  prompt_ids: z.array(z.int().nonnegative()),
  response_ids: z.array(z.int().nonnegative()),
  loss_mask: z.array(z.union([z.literal(0), z.literal(1)])),
  rollout_log_probs: z.array(z.number()).nullable(),
  reward: z.number().nullable(),
  weight: z.number(),
  status: z.enum(['completed', 'truncated', 'aborted', 'failed']),
  spans: z.array(z.object({ start: z.int(), end: z.int(), kind: z.string(), call_id: z.string() })),
  metadata: z.record(z.string(), z.unknown()),
});
/** A line of `samples-*.jsonl`: a TrainingSample in the names that Python trainers use. */
export type TrainingSampleRow = z.infer<typeof trainingSampleSchema>;
