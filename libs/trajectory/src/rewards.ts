import { AgentError, type SampleStatus, type TrainingSample } from '@turnwright/contracts';

/** How the rows of one rollout share its reward: all of it each, equal parts, or all on the last one. */
export type RewardMode = 'full' | 'split' | 'last';

/** The reward of row `index` of `count`. */
export function rewardOfRow(reward: number, mode: RewardMode, index: number, count: number): number {
  if (mode === 'full') return reward;
  if (mode === 'split') return reward / count;
  return index === count - 1 ? reward : 0;
}

/**
 * The samples of whole groups with their advantages; one without a reward gets none.
 *
 * Each needs its rollout's whole reward (mode `full`). Aborted rollouts count for nothing, see `groupAdvantages`; a rollout is aborted
 * when all its rows are.
 * throws as `groupAdvantages`
 */
export function withAdvantages(samples: readonly TrainingSample[]): TrainingSample[] {
  const going = new Set(samples.filter(({ status }) => status !== 'aborted').map(({ rolloutId }) => rolloutId));
  const scored = samples.flatMap(({ groupId, rolloutId, reward }) => (reward === null ? [] : [{ groupId, rolloutId, reward, status: going.has(rolloutId) ? ('completed' as const) : ('aborted' as const) }]));
  const advantages = groupAdvantages(scored);
  let next = 0;
  return samples.map((sample) => (sample.reward === null ? sample : { ...sample, advantage: advantages[next++] ?? 0 }));
}

/** A row's place in its group, with its rollout's whole reward. */
export interface ScoredRow {
  readonly groupId: string;
  readonly rolloutId: string;
  readonly reward: number;
  /** `aborted` rollouts stay out of the group's statistics and get advantage 0. */
  readonly status?: SampleStatus;
}

/**
 * Advantage of each row: its rollout's reward less the group's mean, in which each rollout counts once (slime #2302, #1414).
 *
 * A rollout alone in its group gets 0, and so does an aborted one, which nobody's mean counts: its reward is not the policy's doing.
 * shape  parallel to `rows` `[N]`
 * throws AgentError `bad-contract` for rows of one rollout with different rewards
 */
export function groupAdvantages(rows: readonly ScoredRow[]): number[] {
  const groups = new Map<string, Map<string, number>>();
  for (const { groupId, rolloutId, reward, status } of rows) {
    if (status === 'aborted') continue;
    const rollouts = groups.get(groupId) ?? new Map<string, number>();
    groups.set(groupId, rollouts);
    const known = rollouts.get(rolloutId) ?? reward;
    if (known !== reward) throw new AgentError('bad-contract', `Rollout "${rolloutId}" has rows with rewards ${String(known)} and ${String(reward)}; expected its whole reward on each.`, { fields: { rolloutId } });
    rollouts.set(rolloutId, reward);
  }
  const means = new Map([...groups].map(([groupId, rollouts]) => [groupId, mean([...rollouts.values()])]));
  return rows.map(({ groupId, reward, status }) => (status === 'aborted' ? 0 : reward - (means.get(groupId) ?? reward)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
