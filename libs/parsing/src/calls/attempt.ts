import type { ParseEvent, ToolCallStatus } from '@turnwright/contracts';
import type { Source } from '../source/source.js';
import type { ToolIndex } from '../schema/tool-index.js';

/** Why the output ended, as far as a parser cares: by itself, or cut. */
export type OutputEnd = 'stop' | 'length';

/** What the readers of one output share. */
export interface ReadingContext {
  readonly source: Source;
  readonly tools: ToolIndex;
  readonly limits: ReadingLimits;
  /** `strict` turns every repair off: what is not as the format says is malformed. */
  readonly strict: boolean;
  /** Set when the output is over. */
  outputEnd: OutputEnd;
  /** Ordinal of the next attempt. */
  nextIndex: number;
  emit(event: ParseEvent): void;
}

export interface ReadingLimits {
  /** Brackets open at once in a JSON body. */
  readonly depth: number;
}

/** One attempted call while it is read: says its events in order, and collects what is odd. */
export class Attempt {
  readonly index: number;
  name = '';
  private id: string | undefined;
  private begun = false;
  private reached: number;
  private readonly held: string[] = [];
  private readonly notes: string[] = [];

  constructor(private readonly context: ReadingContext, start: number, notes: readonly string[] = []) {
    this.index = context.nextIndex++;
    this.reached = start;
    this.notes.push(...notes);
  }

  /** Called once, when the name is known. */
  begin(written: string): void {
    const name = this.resolve(written);
    this.name = name;
    this.begun = true;
    if (!this.context.tools.isEmpty && !this.context.tools.has(name)) this.note('unknown-tool');
    this.context.emit({ kind: 'call-start', index: this.index, name, ...(this.id === undefined ? {} : { id: this.id }), span: this.advance(this.context.source.offset) });
    if (this.held.length > 0) this.argumentsText(this.held.splice(0).join(''));
  }

  /** `acme:docs:find` is `find` when only that is declared: models write the path under which they know a tool. */
  private resolve(written: string): string {
    const { tools, strict } = this.context;
    if (strict || tools.isEmpty || tools.has(written)) return written;
    const leaf = written.slice(Math.max(written.lastIndexOf(':'), written.lastIndexOf('.'), written.lastIndexOf('/')) + 1);
    if (leaf === written || !tools.has(leaf)) return written;
    this.note('name-path');
    return leaf;
  }

  /** The arguments so far of a call that has not begun; they are taken out. */
  takeHeld(): string {
    return this.held.splice(0).join('');
  }

  get hasBegun(): boolean {
    return this.begun;
  }

  setId(id: string): void {
    this.id = id;
  }

  /** A further part of the arguments' JSON text. */
  argumentsText(text: string): void {
    if (!this.begun) this.held.push(text);
    else if (text !== '') this.context.emit({ kind: 'call-arguments-delta', index: this.index, text, span: this.advance(this.context.source.offset) });
  }

  note(code: string): void {
    if (!this.notes.includes(code)) this.notes.push(code);
  }

  get wasRepaired(): boolean {
    return this.notes.some((note) => note !== 'unknown-tool' && note !== 'duplicate-key' && note !== 'type-mismatch' && note !== 'fallback' && note !== 'schema-type' && note !== 'no-call');
  }

  end(status: ToolCallStatus, offset: number): void {
    if (!this.begun) {
      this.held.length = 0;
      this.begin('');
    }
    const strict = this.context.strict && this.wasRepaired && status === 'repaired';
    this.context.emit({ kind: 'call-end', index: this.index, status: strict ? 'malformed' : status, notes: [...this.notes], span: this.advance(offset) });
  }

  private advance(offset: number): { readonly start: number; readonly end: number } {
    const start = this.reached;
    this.reached = Math.max(start, offset);
    return { start, end: this.reached };
  }
}
