import type { RecipeResult } from '@turnwright/contracts';

/**
 * Keeps the ids of rows unique in a run.
 *
 * Two files may hold a session of one name: a copy, a part of the same session, or `data.jsonl` of two directories. The rows of the second
 * one are those of `NAME~2`: another rollout with weights of its own, in the same session and group.
 */
export class RowNames {
  private readonly sessions = new Map<string, number>();

  apply(sessionId: string, result: RecipeResult): RecipeResult {
    const ordinal = (this.sessions.get(sessionId) ?? 0) + 1;
    this.sessions.set(sessionId, ordinal);
    if (ordinal === 1) return result;
    const renamed = (id: string): string => (id === sessionId || id.startsWith(`${sessionId}/`) ? `${sessionId}~${String(ordinal)}${id.slice(sessionId.length)}` : `${id}~${String(ordinal)}`);
    return {
      ...result,
      samples: result.samples.map((sample) => ({ ...sample, id: renamed(sample.id), rolloutId: renamed(sample.rolloutId) })),
      ledger: result.ledger.map((entry) => ({ ...entry, sampleIds: entry.sampleIds.map(renamed) })),
    };
  }
}
