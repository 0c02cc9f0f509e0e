import { AgentError, type TrainingSample } from '@turnwright/contracts';

/** throws AgentError `cannot-express` for a number that JSON does not have, so that both formats refuse the same rows */
export function requireFinite(sample: TrainingSample): void {
  const found = sample.logprobs?.find((value) => !Number.isFinite(value)) ?? sample.stepRewards?.find((value) => !Number.isFinite(value)) ?? [sample.weight, sample.reward ?? 0, sample.advantage ?? 0].find((value) => !Number.isFinite(value));
  if (found !== undefined) throw new AgentError('cannot-express', `Sample "${sample.id}" has the number ${String(found)}; expected finite log-probs, rewards, advantage and weight.`, { fields: { sample: sample.id } });
}
