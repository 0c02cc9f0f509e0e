import type { LedgerSummary } from '@turnwright/trajectory';
import { table } from '../cli/output.js';
import type { ReaderSummary } from './replay.js';

/** What a run did. */
export interface ReplaySummary extends LedgerSummary {
  readonly out: string;
  readonly files: { readonly read: number; readonly refused: number; readonly skipped: number };
  readonly samples: number;
  readonly outputTokens: number;
  readonly refused: readonly { readonly file: string; readonly code: string; readonly message: string; readonly line: number; readonly byteOffset: number }[];
  readonly warnings: Readonly<Record<string, number>>;
  readonly samplesFiles: readonly string[];
  readonly byReader: Readonly<Record<string, ReaderSummary>>;
  readonly parsers: string;
  readonly seconds: number;
}

const SHOWN = 20;

/** The summary for people. */
export function describeSummary(summary: ReplaySummary): readonly string[] {
  const count = (value: number): string => value.toLocaleString('en-US');
  const share = summary.sampledTokens === 0 ? '–' : `${((100 * summary.trainedTokens) / summary.sampledTokens).toFixed(1)} %`;
  const lines = table([
    ['files', `${count(summary.files.read)} read, ${count(summary.files.refused)} refused${summary.files.skipped > 0 ? `, ${count(summary.files.skipped)} skipped (not sessions)` : ''}`],
    ['sessions', count(summary.sessions)],
    ['calls', count(summary.calls)],
    ['sampled tokens', count(summary.sampledTokens)],
    ['trained tokens', `${count(summary.trainedTokens)} (${share})`],
    ...entriesOf(summary.excludedByReason).map(([reason, tokens], index) => [index === 0 ? 'excluded' : '', `${count(tokens)} ${reason}`]),
    ['rows', `${count(summary.samples)} of ${count(summary.segments)} segments, ${count(summary.outputTokens)} tokens`],
    ...entriesOf(summary.boundariesByCause).map(([cause, rows], index) => [index === 0 ? 'rows opened by' : '', `${count(rows)} ${cause}`]),
    ['parsers', summary.parsers],
    ...entriesOf(summary.warnings).map(([code, times], index) => [index === 0 ? 'warnings' : '', `${count(times)} ${code}`]),
    ['speed', `${count(Math.round(summary.outputTokens / Math.max(summary.seconds, 0.001)))} tokens/s, ${summary.seconds.toFixed(1)} s`],
  ]);
  const readers = Object.entries(summary.byReader);
  const byReader = readers.length < 2 ? [] : ['', ...table([['reader', 'files', 'calls', 'sampled', 'trained', 'excluded'], ...readers.map(([name, of]) => [name, count(of.files), count(of.calls), count(of.sampledTokens), count(of.trainedTokens), entriesOf(of.excludedByReason).map(([reason, tokens]) => `${count(tokens)} ${reason}`).join(', ')])])];
  const refused = summary.refused.slice(0, SHOWN).map(({ file, line, byteOffset, code, message }) => `refused ${file}:${String(line + 1)} (byte ${String(byteOffset)}) ${code}: ${message}`);
  const more = summary.refused.length > SHOWN ? [`… and ${count(summary.refused.length - SHOWN)} more; ledger.jsonl names them all`] : [];
  return [...lines, ...byReader, ...refused, ...more, '', `samples  ${summary.samplesFiles.map((name) => `${summary.out}/${name}`).join(', ')}`, `ledger   ${summary.out}/ledger.jsonl`];
}

function entriesOf<T extends number>(counts: Readonly<Record<string, T | undefined>>): [string, T][] {
  return Object.entries(counts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as [string, T]])).sort((a, b) => b[1] - a[1]);
}
