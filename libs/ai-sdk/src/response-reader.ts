import type { JSONObject, LanguageModelV4FinishReason, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { ParseEvent, ToolCallStatus } from '@turnwright/contracts';
import type { OutputParser } from '@turnwright/parsing';
import { descriptionOf, TextBlocks } from './text-blocks.js';

export interface ResponseReaderOptions {
  /** Ids that calls of the prompt have. */
  readonly usedIds: ReadonlySet<string>;
  readonly generateId: () => string;
}

/** An attempted call that is no call, or is one with something odd about it, as `providerMetadata.turnwright` has it. */
export interface CallReport {
  readonly index: number;
  readonly name: string;
  readonly status: ToolCallStatus;
  readonly notes: readonly string[];
  /** As the model wrote it, from opener to closer. */
  readonly raw: string;
}

interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly writtenId: string | undefined;
  readonly name: string;
  readonly start: number;
  readonly parts: string[];
}

/**
 * Reads one response: parts of the provider in, parts with reasoning and calls taken out of the text out.
 *
 * order  `read` each part as it comes, then `end` once; after a `finish` part `end` gives nothing.
 */
export class ResponseReader {
  private readonly blocks = new TextBlocks();
  private readonly usedIds: Set<string>;
  private readonly open = new Map<number, OpenCall>();
  private readonly source: string[] = [];
  private readonly failed: (Omit<CallReport, 'raw'> & { readonly span: readonly [number, number] })[] = [];
  private hasCalls = false;
  private ended = false;

  constructor(private readonly parser: OutputParser, private readonly options: ResponseReaderOptions) {
    this.usedIds = new Set(options.usedIds);
  }

  read(part: LanguageModelV4StreamPart): readonly LanguageModelV4StreamPart[] {
    switch (part.type) {
      case 'text-start': return this.blocks.beginText(descriptionOf(part));
      case 'text-end':
        this.blocks.continueText(0, descriptionOf(part));
        return [];
      case 'text-delta':
        this.blocks.continueText(part.delta.length, descriptionOf(part));
        this.source.push(part.delta);
        return this.parts(this.parser.feed(part.delta));
      case 'finish': return this.finish(part);
      case 'stream-start':
      case 'response-metadata':
      case 'raw':
      case 'ping':
      case 'error': return [part];
      default: return [...this.blocks.close(), part];
    }
  }

  /** For a stream that broke off before it said why: what is open was cut. */
  end(): readonly LanguageModelV4StreamPart[] {
    if (this.ended) return [];
    this.ended = true;
    return [...this.parts(this.parser.finish('length')), ...this.blocks.end()];
  }

  /** Attempts that are no calls; complete after `finish`. */
  get reports(): readonly CallReport[] {
    if (this.failed.length === 0) return [];
    const source = this.source.join('');
    return this.failed.map(({ span, ...report }) => ({ ...report, raw: source.slice(span[0], span[1]) }));
  }

  private finish(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): readonly LanguageModelV4StreamPart[] {
    this.ended = true;
    const { unified } = part.finishReason;
    const events = this.parser.finish(unified === 'stop' || unified === 'tool-calls' || unified === 'other' ? 'stop' : 'length');
    const last = [...this.parts(events), ...this.blocks.end()];
    const { reports } = this;
    return [...last, {
      ...part,
      finishReason: this.finishReason(part.finishReason),
      ...(reports.length === 0 ? {} : { providerMetadata: { ...part.providerMetadata, turnwright: { attempts: reports.map((report): JSONObject => ({ ...report, notes: [...report.notes] })) } } }),
    }];
  }

  /** A response that was cut, filtered or broken off stays so, whatever it called before. */
  private finishReason(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
    return this.hasCalls && (reason.unified === 'stop' || reason.unified === 'other') ? { ...reason, unified: 'tool-calls' } : reason;
  }

  private parts(events: readonly ParseEvent[]): LanguageModelV4StreamPart[] {
    return events.flatMap((event): readonly LanguageModelV4StreamPart[] => {
      switch (event.kind) {
        case 'text-delta': return this.blocks.add('text', event.text);
        case 'reasoning-delta': return this.blocks.add('reasoning', event.text);
        case 'markup': return event.role === 'reasoning' ? this.blocks.close() : [];
        case 'call-start': return [...this.blocks.close(), ...this.startCall(event)];
        case 'call-arguments-delta': return this.addArguments(event.index, event.text);
        case 'call-end': return this.endCall(event);
      }
    });
  }

  private startCall({ index, id: writtenId, name, span }: Extract<ParseEvent, { kind: 'call-start' }>): readonly LanguageModelV4StreamPart[] {
    const call: OpenCall = { index, id: this.freeId(writtenId), writtenId, name, start: span.start, parts: [] };
    this.open.set(index, call);
    return name === '' ? [] : [{ type: 'tool-input-start', id: call.id, toolName: name }];
  }

  private freeId(written: string | undefined): string {
    let id = written === undefined || written === '' || this.usedIds.has(written) ? this.options.generateId() : written;
    for (let suffix = 2; this.usedIds.has(id); suffix++) id = `${id}-${String(suffix)}`;
    this.usedIds.add(id);
    return id;
  }

  private addArguments(index: number, text: string): readonly LanguageModelV4StreamPart[] {
    const call = this.open.get(index);
    if (call === undefined || text === '') return [];
    call.parts.push(text);
    return call.name === '' ? [] : [{ type: 'tool-input-delta', id: call.id, delta: text }];
  }

  private endCall({ index, status, notes, span }: Extract<ParseEvent, { kind: 'call-end' }>): readonly LanguageModelV4StreamPart[] {
    const call = this.open.get(index);
    if (call === undefined) return [];
    this.open.delete(index);
    const callable = status === 'ok' || status === 'repaired';
    const inputEnd: LanguageModelV4StreamPart = { type: 'tool-input-end', id: call.id, ...(callable ? {} : { providerMetadata: { turnwright: { status, notes: [...notes] } } }) };
    if (!callable) {
      this.failed.push({ index, name: call.name, status, notes, span: [call.start, span.end] });
      return call.name === '' ? [] : [inputEnd];
    }
    this.hasCalls = true;
    const metadata = callMetadata(call, status, notes);
    return [inputEnd, { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.parts.join(''), ...(metadata === undefined ? {} : { providerMetadata: metadata }) }];
  }
}

/** What the next prompt, or a reader of results, needs to know of a call; most need nothing. */
function callMetadata(call: OpenCall, status: ToolCallStatus, notes: readonly string[]): SharedV4ProviderMetadata | undefined {
  if (call.writtenId === undefined && notes.length === 0) return undefined;
  return { turnwright: { status, notes: [...notes], ...(call.writtenId === undefined ? {} : { id: call.writtenId }) } };
}
