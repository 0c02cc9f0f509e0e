import { AgentError, type LedgerEntry, type ModelCall, type TokenExclusion, type TurnOutcome, type TurnRecord } from '@turnwright/contracts';
import { sampledTokens } from './sampled-tokens.js';

/** What is known of a call after the merge. */
export interface LedgerInput {
  readonly sessionId: string;
  readonly call: Pick<ModelCall, 'id' | 'position' | 'prompt'>;
  readonly promptTokens: number;
  /** The call in tokens and what the merge did with it, or why it never came so far. */
  readonly fate: { readonly turn: TurnRecord; readonly outcome: TurnOutcome } | { readonly refused: string; readonly sampledTokens: number };
  /** Ids of the rows that hold the reply, the training one first. */
  readonly sampleIds: readonly string[];
  readonly flags?: readonly string[];
  /** Sampled tokens that have no place in the call's output. */
  readonly unrendered?: readonly TokenExclusion[];
}

/** The ledger's line for a call. */
export function ledgerEntry(input: LedgerInput): LedgerEntry {
  const { call, fate } = input;
  const counts = 'refused' in fate ? refusedCounts(fate.refused, fate.sampledTokens) : mergedCounts(fate.turn, fate.outcome, input.unrendered ?? []);
  return {
    sessionId: input.sessionId,
    callId: call.id,
    file: call.position.file,
    line: call.position.line,
    byteOffset: call.position.byteOffset,
    ...counts,
    promptTokens: input.promptTokens,
    sampleIds: input.sampleIds,
    flags: [...(input.flags ?? []), ...('outcome' in fate ? (fate.outcome.flags ?? []) : [])],
    promptStatus: call.prompt.status,
  };
}

type Counts = Pick<LedgerEntry, 'sampledTokens' | 'trainedTokens' | 'excluded' | 'boundary'>;

function refusedCounts(reason: string, sampledTokens: number): Counts {
  return { sampledTokens, trainedTokens: 0, excluded: sampledTokens === 0 ? [] : [{ reason, count: sampledTokens }] };
}

function mergedCounts(turn: TurnRecord, outcome: TurnOutcome, unrendered: readonly TokenExclusion[]): Counts {
  return {
    // From the ids, not from mask and exclusions, so that the two sides of the ledger are independent.
    sampledTokens: sampledTokens(turn) + unrendered.reduce((sum, { count }) => sum + count, 0),
    trainedTokens: outcome.trainedTokens,
    excluded: addUp([...(turn.exclusions ?? []), ...outcome.excluded, ...unrendered]),
    ...(outcome.boundary === undefined ? {} : { boundary: outcome.boundary }),
  };
}

function addUp(exclusions: readonly TokenExclusion[]): TokenExclusion[] {
  const counts = new Map<string, number>();
  for (const { reason, count } of exclusions) if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

/** Sums over the entries. throws AgentError `ledger-mismatch`, naming the first call whose sampled tokens are not its trained and excluded ones */
export function reconcile(entries: readonly LedgerEntry[]): { readonly sampled: number; readonly trained: number; readonly excluded: number } {
  const total = { sampled: 0, trained: 0, excluded: 0 };
  for (const entry of entries) {
    const excluded = entry.excluded.reduce((sum, { count }) => sum + count, 0);
    if (entry.sampledTokens !== entry.trainedTokens + excluded) {
      throw new AgentError('ledger-mismatch', `Call "${entry.callId}" of session "${entry.sessionId}" sampled ${String(entry.sampledTokens)} tokens, but ${String(entry.trainedTokens)} are trained and ${String(excluded)} excluded.`, {
        fields: { sessionId: entry.sessionId, callId: entry.callId, sampled: entry.sampledTokens, trained: entry.trainedTokens, excluded },
      });
    }
    total.sampled += entry.sampledTokens;
    total.trained += entry.trainedTokens;
    total.excluded += excluded;
  }
  return total;
}
