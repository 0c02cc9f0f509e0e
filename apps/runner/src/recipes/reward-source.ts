import { readFileSync } from 'node:fs';
import { AgentError, type Session } from '@turnwright/contracts';
import { z } from 'zod';

type Reward = { readonly reward: number | null; readonly groupId?: string };

const lineSchema = z.object({ session_id: z.string(), reward: z.number(), group_id: z.string().optional() });

/** `--reward`: a number, or the name of a file; an empty text is neither. */
export const rewardOption = z.string().min(1).transform((text) => (Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : text)).or(z.number());

/**
 * Where rewards come from: one number for all sessions, a JSON-lines file, or the session itself.
 *
 * A session that the file does not name has no reward. throws AgentError `bad-option`, naming the file and line
 */
export function rewardSource(option: number | string | undefined): (session: Session) => Reward {
  if (option === undefined) return (session) => ({ reward: session.reward ?? null });
  if (typeof option === 'number') return () => ({ reward: option });
  const rewards = readRewards(option);
  return (session) => rewards.get(session.id) ?? { reward: null };
}

function readRewards(path: string): ReadonlyMap<string, Reward> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AgentError('bad-option', `Reward file ${path}: expected a number or a readable JSON-lines file, found ${cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)}.`, { fields: { path }, cause });
  }
  const rewards = new Map<string, Reward>();
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const parsed = lineSchema.safeParse(parseJson(line));
    if (!parsed.success) throw new AgentError('bad-option', `Reward file ${path}, line ${String(index + 1)}: expected {"session_id": …, "reward": NUMBER}, found ${line.slice(0, 80)}.`, { fields: { path, line: index + 1 } });
    const { session_id: id, reward, group_id: groupId } = parsed.data;
    if (rewards.has(id)) throw new AgentError('bad-option', `Reward file ${path}, line ${String(index + 1)}: expected one reward for a session, found a second one for "${id}".`, { fields: { path, line: index + 1 } });
    rewards.set(id, { reward, ...(groupId === undefined ? {} : { groupId }) });
  });
  return rewards;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
