import { AgentError, type TurnRecord } from '@turnwright/contracts';
import { requireFinite, requireLength } from './checked-copies.js';

/** Lists that a recorder made, token by token checked; reading a million tokens again would be half of a merge. */
const checked = new WeakSet<readonly TurnRecord[]>();

/** Says that a list holds sound turns, now and when it grows. */
export function markChecked(turns: readonly TurnRecord[]): void {
  checked.add(turns);
}

/**
 * Checks turns that may come from anywhere, so that nothing is merged into a silent zero; `any` leaves a mask of the wrong length to the policy.
 *
 * throws AgentError `length-mismatch` (mask, log-probs), `bad-contract` (a negative id, NaN), `cycle`, `missing-parent`
 */
export function requireSoundTurns(turns: readonly TurnRecord[], maskLength: 'parallel' | 'any' = 'parallel'): void {
  if (checked.has(turns)) return;
  const seen = new Set<string>();
  for (const turn of turns) {
    if (turn.parentId !== undefined && !seen.has(turn.parentId)) throw unplaceable(turn, turns);
    seen.add(turn.id);
    if (maskLength === 'parallel') requireLength(turn.outputLossMask.length, turn.outputIds.length, turn.id, 'loss mask');
    requireIds(turn.promptTail, turn.id, 'prompt');
    requireIds(turn.outputIds, turn.id, 'output');
    if (turn.outputLogprobs === undefined) continue;
    requireLength(turn.outputLogprobs.length, turn.outputIds.length, turn.id, 'log-probs');
    requireFinite(turn.outputLogprobs, turn.id);
  }
}

function requireIds(ids: Int32Array, turn: string, where: string): void {
  let signs = 0;
  for (let i = 0; i < ids.length; i++) signs |= ids[i] ?? 0;
  if (signs < 0) throw new AgentError('bad-contract', `Turn "${turn}": ${where} token ${String(ids.findIndex((id) => id < 0))} is negative; expected ids from 0.`, { fields: { turn } });
}

function unplaceable(turn: TurnRecord, turns: readonly TurnRecord[]): AgentError {
  const parents = new Map(turns.map(({ id, parentId }) => [id, parentId]));
  const path = new Set([turn.id]);
  for (let id = turn.parentId; id !== undefined; id = parents.get(id)) {
    if (path.has(id)) return new AgentError('cycle', `Turn "${turn.id}" stands among its own ancestors: ${[...path, id].slice(0, 8).join(' < ')}.`, { fields: { turn: turn.id } });
    path.add(id);
  }
  const known = turn.parentId !== undefined && parents.has(turn.parentId);
  return new AgentError('missing-parent', `Turn "${turn.id}" names the parent "${turn.parentId ?? ''}", which ${known ? 'stands after it; expected parents first' : 'is not among the turns'}.`, { fields: { turn: turn.id, parent: turn.parentId } });
}
