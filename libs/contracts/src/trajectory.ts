import { z } from 'zod';
import type { ContextOperation, ExclusionReason, FinishReason } from './session.js';
import type { Span } from './span.js';

/** What a run of output tokens is. `template` tokens were written by the chat template and never carry loss. */
export type TokenSpanKind = 'text' | 'reasoning' | 'call' | 'end-of-turn' | 'template';

/** Why a run of output tokens is what it is. */
export interface TokenSpan {
  /** tokens, into the owner's ids */
  readonly span: Span;
  readonly kind: TokenSpanKind;
  readonly callId: string;
  /** Why the encoder takes the loss from it; absent: it does not. */
  readonly excluded?: ExclusionReason;
}

/**
 * Which experts a mixture-of-experts model sent each token to.
 *
 * shape  `data` is row-major `[T, layers, topK]` over the tokens of the owner from `start` on; the last token may be missing, since it was never fed back
 */
export interface RoutedExperts {
  /** tokens, into the owner's prompt ++ output */
  readonly start: number;
  readonly layers: number;
  readonly topK: number;
  readonly data: Int16Array;
}

/**
 * The ids that top-p sampling chose from, for each output token.
 *
 * shape  `offsets` `[T + 1]`; token t was chosen from `tokenIds[offsets[t], offsets[t + 1])`
 */
export interface TopPCandidates {
  readonly offsets: Int32Array;
  readonly tokenIds: Int32Array;
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
  /** The weights that sampled the output. */
  readonly weightVersion?: string;
  readonly routedExperts?: RoutedExperts;
  readonly topP?: TopPCandidates;
  /** The branch that the call stands on; absent where nobody keeps branches. */
  readonly branchId?: string;
  /** What happened to the context just before the call. */
  readonly operation?: ContextOperation['kind'];
  /** Equal for calls that were offered the same tools. */
  readonly toolsKey?: string;
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
  readonly turns: readonly { readonly id: string; readonly trained: boolean; readonly outputSpan: Span; readonly weightVersion?: string }[];
  /** tokens, into `responseIds` */
  readonly spans: readonly TokenSpan[];
  readonly finishReason: FinishReason;
  /** Over prompt ++ response, zeros where nobody said; absent when no turn of the row had any. */
  readonly routedExperts?: RoutedExperts;
  /** Over the response, nothing for context; absent when no turn of the row had any. */
  readonly topP?: TopPCandidates;
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
  /** The rollout's reward against its group's; absent when nobody compared. */
  readonly advantage?: number;
  /** Rewards of single steps, each on its turn's last trained token, parallel to `responseIds`; absent when there are none. */
  readonly stepRewards?: Float32Array;
  /**
   * Where the row hangs in the prefix tree of its rollout: its first `sharedLength` tokens are those of an earlier row and carry no loss here.
   * Absent: it shares nothing.
   */
  readonly tree?: { readonly parentId: string; readonly sharedLength: number };
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
  readonly boundary?: TurnBoundary;
  /** `control-text-in-content`, `retokenised`, `reasoning-withheld`, … */
  readonly flags: readonly string[];
  readonly promptStatus: string;
}

/** Where a call's prompt leaves what went before it, and what that came to. */
export interface TurnBoundary {
  /** The likely one. */
  readonly cause: BoundaryCause;
  /** tokens, into the call's prompt */
  readonly firstDifference: number;
  /** Tokens that could have been trained and are not, because of it; 0 under a policy that gives nothing up. */
  readonly lostTokens?: number;
  /** Tokens of the prompt that stand in an earlier row already, or stood there in another form, and are computed again. */
  readonly repeatedTokens?: number;
}

/**
 * Why a prompt does not continue what went before it.
 *
 * `whitespace` and `argument-reserialisation`: the history says the same in other characters; `volatile-header`: a date, counter or hash
 * before the first reply; `tool-schema-change`: other tools were offered; `retokenised-history`: the same text in other tokens.
 */
export type BoundaryCause =
  | 'first-call'
  | 'branch'
  | 'template-dropped-reasoning'
  | 'retokenised-history'
  | 'harness-rewrite'
  | 'volatile-header'
  | 'whitespace'
  | 'argument-reserialisation'
  | 'tool-schema-change'
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
  /** Of the trained turns, in their order; the same weights may stand there more than once. */
  weight_versions: z.array(z.string()).optional(),
  advantage: z.number().optional(),
  step_rewards: z.array(z.number()).optional(),
  /** `[T, layers, top_k]`, row-major, over prompt and response */
  routed_experts: z.object({ layers: z.int(), top_k: z.int(), data: z.array(z.int()) }).optional(),
  /** Over the response: token t was chosen from `token_ids[offsets[t], offsets[t + 1])`. */
  rollout_top_p: z.object({ offsets: z.array(z.int()), token_ids: z.array(z.int()) }).optional(),
});

/**
 * A line of `samples-*.tree.jsonl`: what a row adds to the one that it hangs on.
 *
 * The row is the first `shared_length` tokens of `parent_id`'s row, then `ids`; its first `prompt_length` tokens are the prompt. The shared
 * part carries no loss here. `loss_mask` and `rollout_log_probs` are parallel to `ids`.
 */
export const treeSampleSchema = trainingSampleSchema.omit({ prompt_ids: true, response_ids: true }).extend({
  parent_id: z.string().nullable(),
  shared_length: z.int().nonnegative(),
  prompt_length: z.int().nonnegative(),
  ids: z.array(z.int().nonnegative()),
});
export type TreeSampleRow = z.infer<typeof treeSampleSchema>;

/** A line of `samples-*.jsonl`: a TrainingSample in the names that Python trainers use. */
export type TrainingSampleRow = z.infer<typeof trainingSampleSchema>;
