import type { ParseEvent, Piece, Span, ToolDefinition } from '@turnwright/contracts';
import type { OutputEnd, ReadingContext } from '../calls/attempt.js';
import { BlockReader } from '../calls/block-reader.js';
import { ToolIndex } from '../schema/tool-index.js';
import type { Head } from '../calls/head.js';
import { CodeContext } from '../source/code-context.js';
import { afterSpace } from '../source/scan.js';
import { Source } from '../source/source.js';
import { HeldReasoning } from './held-reasoning.js';
import { HeldEvents } from './held-events.js';
import { compileMarkers, type BlockMarker, type OutputFormats, type OutputMarker, type OutputMarkers } from './markers-of-output.js';
import { quotesMarker } from './quoted-marker.js';
import { withoutNameless } from './without-nameless.js';

export interface ParserOptions extends Partial<OutputFormats> {
  readonly tools?: readonly ToolDefinition[];
  /** The prompt ended inside a reasoning span. */
  readonly promptOpensReasoning?: boolean;
  /** False when the request turned thinking off. */
  readonly thinking?: boolean;
  /** Whether a call inside reasoning counts; `auto`: only when no reasoning closer follows it. */
  readonly callsInReasoning?: 'auto' | 'always' | 'never';
  /** No repairs: what is not as the format says is malformed. */
  readonly strict?: boolean;
  /** Brackets open at once in a JSON body, 256 by default. */
  readonly depth?: number;
}

/**
 * Reads a model's output as it comes.
 *
 * Feed pieces in order, then `finish` once; each returns the events that it settled. How the output is cut changes nothing but
 * how deltas are cut. Cost is linear in the output. Nothing that a model writes makes it throw.
 */
export class OutputParser {
  private readonly source = new Source();
  private readonly markers: OutputMarkers;
  private readonly context: ReadingContext;
  private mode: 'text' | 'reasoning' | 'block' | 'trailing' | 'held' = 'text';
  private resume: 'text' | 'reasoning' = 'text';
  private block: BlockReader | undefined;
  private held: HeldReasoning | undefined;
  private callsInReasoning: 'auto' | 'always' | 'never';
  private code = new CodeContext();
  private reasoningCode = new CodeContext();
  /** Nothing but white space since the start of the output or of the span. */
  private blank = true;
  /** The answer has not begun, so it may still be calls without an opener. */
  private answerUndecided = true;
  private wholeAnswer = false;
  /** Offset behind calls that may be the whole answer. */
  private trailingFrom = -1;
  /** Offset of an opener that turned out to begin nothing. */
  private textAt = -1;
  private events: ParseEvent[] = [];
  /** Events of a fallback call that may still turn out to be text. */
  private tentative: HeldEvents | undefined;

  constructor(private readonly options: ParserOptions = {}) {
    this.markers = compileMarkers({ reasoning: options.reasoning, format: options.format, fallbacks: options.fallbacks ?? [] });
    this.callsInReasoning = options.callsInReasoning ?? 'auto';
    const emit = (event: ParseEvent): void => { (this.tentative ?? this.events).push(event); };
    this.context = { source: this.source, tools: new ToolIndex(options.tools ?? []), limits: { depth: options.depth ?? 256 }, strict: options.strict ?? false, outputEnd: 'stop', nextIndex: 0, emit };
    if (options.promptOpensReasoning === true && options.thinking !== false && options.reasoning !== undefined) this.mode = 'reasoning';
  }

  feed(piece: string | Piece): readonly ParseEvent[] {
    if (typeof piece === 'string') this.source.feed(piece);
    else {
      if (piece.special !== undefined) this.source.markSpecial(piece.special);
      this.source.feed(piece.text);
    }
    return this.drain();
  }

  finish(end: OutputEnd = 'stop'): readonly ParseEvent[] {
    this.source.final = true;
    this.context.outputEnd = end;
    return this.drain();
  }

  private drain(): readonly ParseEvent[] {
    while (this.step());
    if (this.events.length === 0) return NO_EVENTS;
    const { events } = this;
    this.events = [];
    return events;
  }

  /** One stretch of one mode; false when the window holds nothing more to decide. */
  private step(): boolean {
    switch (this.mode) {
      case 'text': return this.readText();
      case 'reasoning': return this.readReasoning();
      case 'block': return this.readBlock();
      case 'trailing': return this.readTrailing();
      default: return this.readHeld();
    }
  }

  private readText(): boolean {
    const { source } = this;
    if (this.markers.wholeAnswer !== undefined && this.answerUndecided) {
      const began = this.beginsWholeAnswer(this.markers.wholeAnswer);
      if (began !== 'no') return began === 'yes';
    }
    const { inText } = this.markers;
    for (let i = source.position; i < source.text.length; i++) {
      if (!inText.canBegin(source.text.charCodeAt(i))) continue;
      const match = (source.base + i === this.textAt ? this.markers.wrappers : inText).match(source, i);
      if (match.look === 'no') continue;
      this.text(i);
      if (match.look === 'more') return false;
      const began = this.begins(match.value, match.length);
      if (began === 'more') return false;
      if (began) return true;
    }
    this.text(source.text.length);
    return false;
  }

  /** Calls without an opener count only where nothing but white space and thoughts stands before them. */
  private beginsWholeAnswer(marker: BlockMarker): 'yes' | 'no' | 'more' {
    const { source } = this;
    const at = afterSpace(source.text, source.position);
    this.text(at);
    if (at === source.text.length) return 'more';
    const explicit = this.markers.inText.match(source, at);
    if (explicit.look === 'more') return 'more';
    if (explicit.look === 'yes' && explicit.value.kind !== 'block') return 'no';
    this.answerUndecided = false;
    if (explicit.look === 'yes' || !WHOLE_ANSWER_START.test(source.text.charAt(at))) return 'no';
    this.wholeAnswer = true;
    return this.openBlock(marker, 0, 'text') ? 'yes' : 'no';
  }

  /** Whether the marker at the cursor is structure; then the mode changes, else it stays to be text. */
  private begins(marker: OutputMarker, length: number): boolean | 'more' {
    const { source } = this;
    const special = source.isSpecialAt(source.position);
    if (marker.kind === 'wrapper') return this.passWrapper(marker.head, special);
    if (marker.kind === 'block') return (special || !this.code.inline) && this.openBlock(marker, length, 'text');
    if (marker.kind === 'reasoning-close' ? !this.blank : !special && this.code.quoted) return false;
    if (marker.kind === 'reasoning-open') this.openReasoning();
    this.markup('reasoning', length);
    return true;
  }

  /** A marker around ordinary text is no text. */
  private passWrapper(head: Head, special: boolean): boolean | 'more' {
    const { source } = this;
    if (!special && this.code.quoted) return false;
    const match = head.match(source, source.position, true);
    if (match === 'more') return source.final ? false : 'more';
    if (match === 'no') return false;
    this.markup('text', match.end - source.position);
    return true;
  }

  private openReasoning(): void {
    this.mode = 'reasoning';
    this.blank = true;
    this.reasoningCode = new CodeContext();
  }

  private readReasoning(): boolean {
    const { source } = this;
    const { inReasoning } = this.markers;
    for (let i = source.position; i < source.text.length; i++) {
      if (!inReasoning.canBegin(source.text.charCodeAt(i)) || source.base + i === this.textAt) continue;
      const match = inReasoning.match(source, i);
      if (match.look === 'no') continue;
      this.reasoning(i);
      if (match.look === 'more') return false;
      const turn = this.turnsReasoning(match.value, match.length);
      if (turn !== 'no') return turn === 'yes';
    }
    this.reasoning(source.text.length);
    return false;
  }

  private turnsReasoning(marker: OutputMarker, length: number): 'yes' | 'no' | 'more' {
    const { source } = this;
    const special = source.isSpecialAt(source.position);
    if (marker.kind === 'reasoning-open') {
      // The prompt may have opened the span already, and the model opened it again.
      if (!this.blank) return 'no';
      this.markup('reasoning', length);
      return 'yes';
    }
    if (marker.kind === 'reasoning-close') {
      const quoted = special ? 'no' : quotesMarker(source, length, this.reasoningCode);
      if (quoted !== 'no') return quoted === 'yes' ? 'no' : 'more';
      this.mode = 'text';
      this.blank = true;
      this.markup('reasoning', length);
      return 'yes';
    }
    if (marker.kind === 'wrapper') {
      const passed = this.passWrapper(marker.head, special);
      return passed === 'more' ? 'more' : passed ? 'yes' : 'no';
    }
    if (this.callsInReasoning === 'never' || (!special && this.reasoningCode.inline)) return 'no';
    if (this.callsInReasoning === 'always' || special) return this.openBlock(marker, length, 'reasoning') ? 'yes' : 'no';
    this.mode = 'held';
    this.held = new HeldReasoning(source, this.options.reasoning?.close ?? [], marker.candidates.flatMap(({ grammar }) => (grammar.blockClosers.length > 0 ? grammar.blockClosers : grammar.tail)));
    return 'yes';
  }

  private openBlock(marker: BlockMarker, length: number, resume: 'text' | 'reasoning'): boolean {
    const usable = this.code.quoted ? marker.candidates.filter(({ fallback }) => !fallback) : marker.candidates;
    if (usable.length === 0) return false;
    this.resume = resume;
    this.mode = 'block';
    if (this.wholeAnswer || usable.some(({ fallback }) => fallback)) {
      this.tentative = new HeldEvents();
      this.source.keep();
    }
    this.block = new BlockReader(this.context, { candidates: usable, openerLength: marker.opens === 'call' ? 0 : length, declaredOnly: marker.declaredOnly || usable.every(({ fallback }) => fallback) });
    return true;
  }

  private readBlock(): boolean {
    const { block, source } = this;
    if (block === undefined) return false;
    const start = source.offset;
    let result = block.run();
    if (this.tentative !== undefined && !this.wholeAnswer && block.candidate?.fallback === false) this.settle();
    if (result === 'more') {
      if (!source.final) return false;
      result = block.end();
    }
    // A block of the chosen format that holds no call is a broken one, not text.
    if (result === 'done' && this.tentative !== undefined && !this.wholeAnswer && block.isNative) this.settle();
    this.mode = this.resume;
    this.block = undefined;
    if (this.wholeAnswer) return this.endWholeAnswer(result, start);
    if (result === 'reject') {
      if (this.tentative !== undefined) this.source.release();
      this.tentative = undefined;
      this.textAt = start;
    } else if (this.tentative !== undefined) this.settleFallback();
    if (result === 'done') this.blank = false;
    return true;
  }

  /** The calls were the whole answer only if nothing but white space follows; until then their events wait. */
  private endWholeAnswer(result: 'done' | 'reject', start: number): boolean {
    if (result === 'done') {
      this.mode = 'trailing';
      return true;
    }
    this.wholeAnswer = false;
    this.source.release();
    this.tentative = undefined;
    this.textAt = start;
    return true;
  }

  private readTrailing(): boolean {
    const { source } = this;
    if (this.trailingFrom < 0) this.trailingFrom = source.offset;
    const next = afterSpace(source.text, source.position);
    // White space is consumed as it comes, and kept with the calls.
    source.position = next;
    if (next === source.text.length && !source.final) return false;
    this.mode = 'text';
    this.wholeAnswer = false;
    this.settleFallback(next === source.text.length ? 'whole' : 'text');
    return true;
  }

  /** The call is the chosen format's own: its events stand whatever becomes of it. */
  private settle(): void {
    this.source.release();
    this.events.push(...(this.tentative?.all() ?? []));
    this.tentative = undefined;
  }

  /** A fallback block counts when all its calls are whole and their tools declared; else it is text. */
  private settleFallback(verdict: 'undecided' | 'whole' | 'text' = 'undecided'): void {
    const events = this.tentative?.all() ?? [];
    this.tentative = undefined;
    const text = this.source.release();
    const callable = (event: ParseEvent): boolean => event.kind === 'call-end' && (event.status === 'ok' || event.status === 'repaired');
    const declared = events.every((event) => event.kind !== 'call-start' || this.context.tools.has(event.name) || (verdict === 'whole' && event.name === ''));
    const whole = verdict === 'whole' ? events.some(callable) : verdict === 'undecided' && events.every((event) => event.kind !== 'call-end' || callable(event));
    const start = this.source.offset - text.length;
    if (whole && declared && events.length > 0) {
      this.events.push(...withoutNameless(events, text, start));
      if (verdict === 'whole' && this.trailingFrom < this.source.offset) this.say('text-delta', text.slice(this.trailingFrom - start), this.trailingFrom);
    }
    else {
      this.context.nextIndex -= events.filter((event) => event.kind === 'call-start').length;
      this.code.advance(text, 0, text.length);
      this.say('text-delta', text, this.source.offset - text.length);
    }
  }

  private readHeld(): boolean {
    const { held, source } = this;
    const verdict = held?.run();
    if (held === undefined || verdict === undefined || verdict.kind === 'more') return false;
    this.held = undefined;
    this.mode = 'reasoning';
    if (verdict.kind === 'calls') {
      source.rewind(verdict.text, verdict.offset);
      this.callsInReasoning = 'always';
      return true;
    }
    this.say('reasoning-delta', verdict.text, verdict.offset);
    if (verdict.rest !== undefined) source.rewind(verdict.rest, verdict.offset + verdict.text.length);
    this.mode = 'text';
    this.blank = true;
    this.markup('reasoning', verdict.closerLength);
    return true;
  }

  private text(index: number): void {
    const { source } = this;
    if (index === source.position) return;
    this.code.advance(source.text, source.position, index);
    this.say('text-delta', source.text.slice(source.position, index), source.offset);
    source.position = index;
  }

  private say(kind: 'text-delta' | 'reasoning-delta', text: string, offset: number): void {
    if (this.blank && /\S/.test(text)) this.blank = false;
    this.events.push({ kind, text, span: { start: offset, end: offset + text.length } });
  }

  private reasoning(index: number): void {
    const { source } = this;
    if (index === source.position) return;
    this.reasoningCode.advance(source.text, source.position, index);
    this.say('reasoning-delta', source.text.slice(source.position, index), source.offset);
    source.position = index;
  }

  private markup(role: 'reasoning' | 'text', length: number): void {
    const { source } = this;
    const span: Span = { start: source.offset, end: source.offset + length };
    source.position += length;
    this.events.push({ kind: 'markup', role, span });
  }
}

/** What a list, an object, a call or a fence can begin with. */
const WHOLE_ANSWER_START = /[[{`\p{L}_]/u;
const NO_EVENTS: readonly ParseEvent[] = [];
