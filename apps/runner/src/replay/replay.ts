import { AgentError, type Diagnostic, type RecipeRun, type SampleSink, type Session } from '@turnwright/contracts';
import { detectReader, openSourceFile } from '@turnwright/sessions';
import { LedgerTotals } from '@turnwright/trajectory';
import type { Application } from '../composition/application.js';
import type { InputFile } from './discover-inputs.js';
import { callLine, diagnosticLine, fileLine, sessionLine } from './ledger-lines.js';
import type { LineFile } from './line-file.js';
import type { Progress } from './progress.js';

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 1 << 16;

export interface ReplayedFile {
  readonly file: InputFile;
  readonly status: 'read' | 'refused' | 'skipped';
  readonly reader: string | null;
  readonly refusal?: { readonly code: string; readonly message: string };
}

/** Reads files one after the other, session by session; holds one session at a time. */
export class Replay {
  readonly totals = new LedgerTotals();
  readonly warnings = new Map<string, number>();
  samples = 0;
  outputTokens = 0;
  private readonly seenReplies = new Set<string>();

  constructor(
    private readonly application: Application,
    private readonly recipe: { readonly name: string; readonly run: RecipeRun },
    private readonly sink: SampleSink,
    private readonly ledger: LineFile,
    private readonly progress: Progress,
    private readonly supply: (session: Session) => Session,
  ) {}

  async file(file: InputFile): Promise<ReplayedFile> {
    const result = await this.read(file);
    await this.ledger.write(fileLine({ path: file.path, status: result.status, ...(result.reader === null ? {} : { reader: result.reader }), ...(result.refusal ?? {}) }));
    this.progress.advance(file.sizeBytes, file.path);
    return result;
  }

  private async read(file: InputFile): Promise<ReplayedFile> {
    const source = await openSourceFile(file.path);
    if (source.sizeBytes === 0) return this.empty(file);
    const reader = detectReader(this.application.readers.values, await source.slice(0, Math.min(HEAD_BYTES, source.sizeBytes)), file.path);
    if (reader === undefined) {
      const message = `expected a session of ${this.application.readers.names.join(', ')}; no reader recognises its content`;
      return file.named ? { file, status: 'refused', reader: null, refusal: { code: 'unknown-session-format', message } } : { file, status: 'skipped', reader: null };
    }
    try {
      let sessions = 0;
      for await (const session of reader.read(source, { seenReplies: this.seenReplies })) {
        sessions++;
        await this.session(this.supply(session));
      }
      if (sessions === 0) await this.diagnostics([{ severity: 'warning', code: 'zero-calls', message: `File ${file.path} is not empty and gave no session.`, file: file.path, line: 0, byteOffset: 0 }]);
      return { file, status: 'read', reader: reader.name };
    } catch (cause) {
      if (cause instanceof AgentError) throw cause;
      // A reader is a plugin; what it cannot take must not cost the other files.
      return { file, status: 'refused', reader: reader.name, refusal: { code: 'reader-failed', message: cause instanceof Error ? cause.message : String(cause) } };
    }
  }

  private async empty(file: InputFile): Promise<ReplayedFile> {
    await this.diagnostics([{ severity: 'warning', code: 'empty-file', message: `File ${file.path} is empty.`, file: file.path, line: 0, byteOffset: 0 }]);
    return { file, status: 'read', reader: null };
  }

  private async session(session: Session): Promise<void> {
    const result = await this.runRecipe(session);
    this.totals.addSession(result.ledger, result.samples.length);
    await this.ledger.write(sessionLine(session, result.samples.length));
    for (const entry of result.ledger) await this.ledger.write(callLine(entry));
    await this.diagnostics([...session.diagnostics, ...result.diagnostics]);
    for (const sample of result.samples) {
      await this.sink.write(sample);
      this.samples++;
      this.outputTokens += sample.promptIds.length + sample.responseIds.length;
    }
  }

  private async runRecipe(session: Session): Promise<Awaited<ReturnType<RecipeRun['session']>>> {
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
