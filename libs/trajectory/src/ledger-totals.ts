import type { BoundaryCause, LedgerEntry } from '@turnwright/contracts';
import { reconcile } from './ledger.js';

/** What a run did, for its summary. */
export interface LedgerSummary {
  readonly sessions: number;
  readonly calls: number;
  readonly sampledTokens: number;
  readonly trainedTokens: number;
  readonly segments: number;
  readonly excludedByReason: Readonly<Record<string, number>>;
  readonly boundariesByCause: Readonly<Partial<Record<BoundaryCause, number>>>;
}

/** Running totals over the sessions of a run; the result does not depend on their order. */
export class LedgerTotals {
  private readonly counts = { sessions: 0, calls: 0, sampledTokens: 0, trainedTokens: 0, segments: 0 };
  private readonly excluded = new Map<string, number>();
  private readonly boundaries = new Map<string, number>();

  /** throws AgentError `ledger-mismatch` */
  addSession(entries: readonly LedgerEntry[], segments: number): void {
    const { sampled, trained } = reconcile(entries);
    this.counts.sessions += 1;
    this.counts.calls += entries.length;
    this.counts.sampledTokens += sampled;
    this.counts.trainedTokens += trained;
    this.counts.segments += segments;
    for (const entry of entries) {
      for (const { reason, count } of entry.excluded) add(this.excluded, reason, count);
      if (entry.boundary !== undefined) add(this.boundaries, entry.boundary.cause, 1);
    }
  }

  summary(): LedgerSummary {
    return { ...this.counts, excludedByReason: sorted(this.excluded), boundariesByCause: sorted(this.boundaries) };
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
