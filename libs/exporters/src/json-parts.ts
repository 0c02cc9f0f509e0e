import type { TrainingSample } from '@turnwright/contracts';
import { integerBytes } from './integer-bytes.js';
import { float32Bytes } from './number-bytes.js';
import { float64Text } from './number-text.js';
import { spanRows } from './span-rows.js';

/** A line in parts; numbers are bytes already. */
export type JsonParts = readonly (string | Uint8Array)[];

/** From the opening brace on: which row it is. */
export function headParts(sample: TrainingSample): JsonParts {
  return [
    `{"id":${JSON.stringify(sample.id)},"session_id":${JSON.stringify(sample.sessionId)},"rollout_id":${JSON.stringify(sample.rolloutId)},"group_id":${JSON.stringify(sample.groupId)}`,
    `,"segment_index":${String(sample.segmentIndex)},"segment_count":${String(sample.segmentCount)}`,
  ];
}

export function logprobParts(logprobs: Float32Array | undefined): JsonParts {
  return logprobs === undefined ? [',"rollout_log_probs":null'] : [',"rollout_log_probs":[', float32Bytes(logprobs), ']'];
}

/** Behind the token lists, before the closing brace; what a row may lack stands there only where it has it. */
export function tailParts(sample: TrainingSample): JsonParts {
  const { reward, advantage, stepRewards, routedExperts, topP } = sample;
  const versions = weightVersions(sample);
  return [
    `,"reward":${reward === null ? 'null' : float64Text(reward)},"weight":${float64Text(sample.weight)},"status":${JSON.stringify(sample.status)}`,
    `,"spans":${JSON.stringify(spanRows(sample))},"metadata":${JSON.stringify(sample.metadata)}`,
    ...(versions === undefined ? [] : [`,"weight_versions":${JSON.stringify(versions)}`]),
    ...(advantage === undefined ? [] : [`,"advantage":${float64Text(advantage)}`]),
    ...(stepRewards === undefined ? [] : [',"step_rewards":[', float32Bytes(stepRewards), ']']),
    ...(routedExperts === undefined ? [] : [`,"routed_experts":{"layers":${String(routedExperts.layers)},"top_k":${String(routedExperts.topK)},"data":[`, integerBytes(Int32Array.from(routedExperts.data)), ']}']),
    ...(topP === undefined ? [] : [',"rollout_top_p":{"offsets":[', integerBytes(topP.offsets), '],"token_ids":[', integerBytes(topP.tokenIds), ']}']),
  ];
}

/** Of the trained turns; undefined where none says. */
export function weightVersions({ turns }: TrainingSample): string[] | undefined {
  const versions = turns.filter(({ trained }) => trained).flatMap(({ weightVersion }) => weightVersion ?? []);
  return versions.length === 0 ? undefined : versions;
}
