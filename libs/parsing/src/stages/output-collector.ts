import type { OutputItem, OutputRegion, ParsedModelOutput, ParseEvent, ToolCallAttempt, ToolCallStatus } from '@turnwright/contracts';

interface OpenAttempt {
  readonly id: string | undefined;
  readonly name: string;
  readonly start: number;
  readonly parts: string[];
}

/** Gathers parse events into one result; the same events in any grouping give the same result. */
export class OutputCollector {
  private readonly items: OutputItem[] = [];
  private readonly regions: OutputRegion[] = [];
  private readonly attempts: (Omit<ToolCallAttempt, 'raw'>)[] = [];
  private readonly open = new Map<number, OpenAttempt>();
  private textParts: string[] = [];
  private readonly answer: string[] = [];
  private wasWrapped = false;
  private textKind: 'text' | 'reasoning' | undefined;

  take(events: readonly ParseEvent[]): void {
    for (const event of events) this.takeOne(event);
  }

  /** `source`: the whole output, for the raw text of attempts. Called once. */
  result(source: string): ParsedModelOutput {
    this.flushText();
    const attempts = this.attempts.map((attempt) => ({ ...attempt, raw: source.slice(attempt.span.start, attempt.span.end) }));
    const callable = attempts.filter(({ status }) => status === 'ok' || status === 'repaired');
    const texts = (kind: 'text' | 'reasoning'): string[] => this.items.flatMap((item) => (item.kind === kind ? [item.text] : []));
    return {
      reasoning: texts('reasoning').map((text) => text.trim()).filter((text) => text !== '').join('\n'),
      text: this.answer.join('').trim(),
      toolUses: callable.map(({ id, name, arguments: input }) => ({ ...(id === undefined ? {} : { id }), name, input })),
      items: this.items,
      attempts,
      regions: this.regions,
      diagnostics: attempts.flatMap((attempt) => attempt.notes.map((note) => ({ severity: 'warning' as const, code: note, message: `Call ${String(attempt.index)} "${attempt.name}" (${attempt.status}): ${note} at ${String(attempt.span.start)}.` }))),
    };
  }

  private takeOne(event: ParseEvent): void {
    switch (event.kind) {
      case 'text-delta':
      case 'reasoning-delta': {
        const kind = event.kind === 'text-delta' ? 'text' : 'reasoning';
        if (this.textKind !== kind) this.flushText();
        this.textKind = kind;
        this.textParts.push(event.text);
        if (kind === 'text') this.addToAnswer(event.text);
        this.addRegion({ kind, span: event.span });
        return;
      }
      case 'markup':
        this.addRegion({ kind: 'markup', role: event.role, span: event.span });
        if (event.role === 'text') this.wasWrapped = true;
        return;
      case 'call-start':
        this.open.set(event.index, { id: event.id, name: event.name, start: event.span.start, parts: [] });
        return;
      case 'call-arguments-delta':
        this.open.get(event.index)?.parts.push(event.text);
        return;
      case 'call-end':
        this.endCall(event.index, event.status, event.notes, event.span.end);
    }
  }

  private endCall(index: number, status: ToolCallStatus, notes: readonly string[], end: number): void {
    const open = this.open.get(index);
    if (open === undefined) return;
    this.open.delete(index);
    this.flushText();
    const span = { start: open.start, end };
    const text = open.parts.join('');
    this.attempts.push({ index, ...(open.id === undefined ? {} : { id: open.id }), name: open.name, arguments: text, status, notes, span });
    this.addRegion({ kind: 'call', callIndex: index, span });
    if (status === 'ok' || status === 'repaired') this.items.push({ kind: 'tool-call', index, name: open.name, arguments: text });
  }

  /** Messages of their own do not run into each other. */
  private addToAnswer(text: string): void {
    const last = this.answer.at(-1);
    if (this.wasWrapped && last !== undefined && !/\s$/.test(last) && !/^\s/.test(text)) this.answer.push('\n');
    this.wasWrapped = false;
    this.answer.push(text);
  }

  private addRegion(region: OutputRegion): void {
    const last = this.regions.at(-1);
    if (last?.kind === region.kind && last.kind !== 'call' && last.role === region.role && last.span.end === region.span.start) {
      this.regions[this.regions.length - 1] = { ...last, span: { start: last.span.start, end: region.span.end } };
    } else this.regions.push(region);
  }

  private flushText(): void {
    if (this.textKind === undefined) return;
    this.items.push({ kind: this.textKind, text: this.textParts.join('') });
    this.textKind = undefined;
    this.textParts = [];
  }
}
