import { AgentError } from '@turnwright/contracts';

/** How the rows of one rollout share its reward: all of it each, equal parts, or all on the last one. */
export type RewardMode = 'full' | 'split' | 'last';

/** The reward of row `index` of `count`. */
export function rewardOfRow(reward: number, mode: RewardMode, index: number, count: number): number {
  if (mode === 'full') return reward;
  if (mode === 'split') return reward / count;
  return index === count - 1 ? reward : 0;
}

/** A row's place in its group, with its rollout's whole reward. */
export interface ScoredRow {
  readonly groupId: string;
  readonly rolloutId: string;
  readonly reward: number;
}

/**
 * Advantage of each row: its rollout's reward less the group's mean, in which each rollout counts once (slime #2302, #1414).
 *
 * A rollout alone in its group gets 0.
 * shape  parallel to `rows` `[N]`
 * throws AgentError `bad-contract` for rows of one rollout with different rewards
 */
export function groupAdvantages(rows: readonly ScoredRow[]): number[] {
  const groups = new Map<string, Map<string, number>>();
  for (const { groupId, rolloutId, reward } of rows) {
    const rollouts = groups.get(groupId) ?? new Map<string, number>();
    groups.set(groupId, rollouts);
    const known = rollouts.get(rolloutId) ?? reward;
    if (known !== reward) throw new AgentError('bad-contract', `Rollout "${rolloutId}" has rows with rewards ${String(known)} and ${String(reward)}; expected its whole reward on each.`, { fields: { rolloutId } });
    rollouts.set(rolloutId, reward);
  }
  const means = new Map([...groups].map(([groupId, rollouts]) => [groupId, mean([...rollouts.values()])]));
  return rows.map(({ groupId, reward }) => reward - (means.get(groupId) ?? reward));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
