import { AgentError, type Diagnostic, type RecipeResult, type RecipeRun, type SampleSink, type Session, type SourceFile } from '@turnwright/contracts';
import { detectReader, openSourceFile } from '@turnwright/sessions';
import { LedgerTotals, type LedgerSummary } from '@turnwright/trajectory';
import type { Application } from '../composition/application.js';
import type { InputFile } from './discover-inputs.js';
import { callLine, diagnosticLine, fileLine, sessionLine } from './ledger-lines.js';
import type { LineFile } from './line-file.js';
import type { Progress } from './progress.js';
import { requireReconciled } from './reconciliation.js';
import { RowNames } from './row-names.js';

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 1 << 16;

export interface ReplayedFile {
  readonly file: InputFile;
  readonly status: 'read' | 'refused' | 'skipped';
  readonly reader: string | null;
  readonly refusal?: { readonly code: string; readonly message: string };
}

/** What a reader's files came to, for the summary. */
export type ReaderSummary = { readonly files: number } & Pick<LedgerSummary, 'sessions' | 'calls' | 'sampledTokens' | 'trainedTokens' | 'excludedByReason'>;

/** The same while it grows. */
interface ReaderTotals {
  files: number;
  readonly totals: LedgerTotals;
}

/** Reads files one after the other, session by session; holds one session at a time. */
export class Replay {
  readonly totals = new LedgerTotals();
  readonly readers = new Map<string, ReaderTotals>();
  readonly warnings = new Map<string, number>();
  samples = 0;
  outputTokens = 0;
  private readonly seenReplies = new Set<string>();
  private readonly rowNames = new RowNames();

  constructor(
    private readonly application: Application,
    private readonly recipe: { readonly name: string; readonly run: RecipeRun },
    private readonly sink: SampleSink,
    private readonly ledger: LineFile,
    private readonly progress: Progress,
    /** What becomes of a session before anything is made of it, and how a file is called in what is written. */
    private readonly view: { readonly session: (session: Session) => Session; readonly path: (path: string) => string },
  ) {}

  async file(file: InputFile): Promise<ReplayedFile> {
    const result = await this.read(file);
    await this.ledger.write(fileLine({ path: this.view.path(file.path), status: result.status, ...(result.reader === null ? {} : { reader: result.reader }), ...(result.refusal ?? {}) }));
    this.progress.advance(file.sizeBytes, file.path);
    return result;
  }

  private async read(file: InputFile): Promise<ReplayedFile> {
    if (file.sizeBytes === 0) return this.empty(file);
    const opened = await openHead(file);
    if ('status' in opened) return opened;
    const { source, head } = opened;
    const reader = detectReader(this.application.readers.values, head, file.path);
    if (reader === undefined) {
      const message = `expected a session of ${this.application.readers.names.join(', ')}; no reader recognises its content`;
      return file.named ? { file, status: 'refused', reader: null, refusal: { code: 'unknown-session-format', message } } : { file, status: 'skipped', reader: null };
    }
    const sessions = reader.read(source, { seenReplies: this.seenReplies })[Symbol.asyncIterator]();
    let calls = 0;
    for (;;) {
      const next = await nextSession(sessions);
      // A reader is a plugin; what it cannot take must not cost the other files.
      if ('failure' in next) return { file, status: 'refused', reader: reader.name, refusal: { code: 'reader-failed', message: next.failure } };
      if (next.session === undefined) break;
      calls += next.session.calls.length;
      await this.session(this.view.session(next.session));
    }
    if (calls === 0) await this.diagnostics([{ severity: 'warning', code: 'zero-calls', message: `File ${this.view.path(file.path)} is not empty and holds no call of a model.`, file: this.view.path(file.path), line: 0, byteOffset: 0 }]);
    this.readerTotals(reader.name).files++;
    return { file, status: 'read', reader: reader.name };
  }

  private readerTotals(name: string): ReaderTotals {
    const known = this.readers.get(name) ?? { files: 0, totals: new LedgerTotals() };
    this.readers.set(name, known);
    return known;
  }

  /** Files and totals of each reader, by name. */
  byReader(): Readonly<Record<string, ReaderSummary>> {
    const summaries = [...this.readers].map(([name, { files, totals }]) => {
      const { sessions, calls, sampledTokens, trainedTokens, excludedByReason } = totals.summary();
      return [name, { files, sessions, calls, sampledTokens, trainedTokens, excludedByReason }] as const;
    });
    return Object.fromEntries(summaries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private async empty(file: InputFile): Promise<ReplayedFile> {
    await this.diagnostics([{ severity: 'warning', code: 'empty-file', message: `File ${this.view.path(file.path)} is empty.`, file: this.view.path(file.path), line: 0, byteOffset: 0 }]);
    return { file, status: 'read', reader: null };
  }

  private async session(session: Session): Promise<void> {
    const made = await this.runRecipe(session);
    requireReconciled(session, made);
    const result = this.rowNames.apply(session.id, made);
    for (const totals of [this.totals, this.readerTotals(session.reader).totals]) totals.addSession(result.ledger, result.samples.length);
    await this.ledger.write(sessionLine(session, result.samples.length));
    for (const entry of result.ledger) await this.ledger.write(callLine(entry));
    await this.diagnostics([...session.diagnostics, ...result.diagnostics]);
    for (const sample of result.samples) {
      await this.sink.write(sample);
      this.samples++;
      this.outputTokens += sample.promptIds.length + sample.responseIds.length;
    }
  }

  private async runRecipe(session: Session): Promise<RecipeResult> {
    try {
      return await this.recipe.run.session(session);
    } catch (cause) {
      if (cause instanceof AgentError) throw cause;
      throw new AgentError('plugin-failed', `Recipe "${this.recipe.name}" failed on session "${session.id}": ${cause instanceof Error ? cause.message : String(cause)}.`, { fields: { recipe: this.recipe.name, session: session.id }, cause });
    }
  }

  private async diagnostics(diagnostics: readonly Diagnostic[]): Promise<void> {
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== 'info') this.warnings.set(diagnostic.code, (this.warnings.get(diagnostic.code) ?? 0) + 1);
      await this.ledger.write(diagnosticLine(diagnostic));
    }
  }
}

/** A file that cannot be opened, such as one that may not be read, costs only itself. */
async function openHead(file: InputFile): Promise<{ readonly source: SourceFile; readonly head: Uint8Array } | ReplayedFile> {
  try {
    const source = await openSourceFile(file.path);
    return { source, head: await source.slice(0, Math.min(HEAD_BYTES, source.sizeBytes)) };
  } catch (cause) {
    return { file, status: 'refused', reader: null, refusal: { code: 'unreadable-file', message: cause instanceof Error ? cause.message : String(cause) } };
  }
}

async function nextSession(sessions: AsyncIterator<Session>): Promise<{ readonly session: Session | undefined } | { readonly failure: string }> {
  try {
    const next = await sessions.next();
    return { session: next.done === true ? undefined : next.value };
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.message : String(cause) };
  }
}
