import type { TrainingSample } from '@turnwright/contracts';
import { agentLoopOutput, type VerlOutput } from './agent-loop-output.js';

/** A sample as verl's output: the same tokens, mask, log-probs, reward and experts; which rollout it is stands in the extra fields. */
export function outputOfSample(sample: TrainingSample): VerlOutput {
  const { promptIds, responseIds, lossMask, logprobs, reward, routedExperts, turns } = sample;
  return agentLoopOutput({
    promptIds: Array.from(promptIds),
    responseIds: Array.from(responseIds),
    responseMask: Array.from(lossMask),
    ...(logprobs === undefined ? {} : { responseLogprobs: Array.from(logprobs) }),
    ...(reward === null ? {} : { rewardScore: reward }),
    ...(routedExperts === undefined ? {} : { routedExperts: { dtype: 'int16', shape: [promptIds.length + responseIds.length, routedExperts.layers, routedExperts.topK], data: Array.from(routedExperts.data) } }),
    // Each call, what was said between them, and the first prompt.
    numTurns: turns.length * 2,
    metrics: {},
    extraFields: { session_id: sample.sessionId, rollout_id: sample.rolloutId, group_id: sample.groupId, segment_index: sample.segmentIndex, segment_count: sample.segmentCount, weight: sample.weight, status: sample.status },
  });
}
