import type { ToolCallStatus } from '@turnwright/contracts';
import { afterSpace, lookLiteral, type Look } from '../source/scan.js';
import { Attempt, type ReadingContext } from './attempt.js';
import { FrameReader, lookBoundary, lookCall, lookName, type CallGrammar } from './frame-reader.js';

/** How far the text behind an opener that no call follows is searched for the block's closer; beyond, the opener is text. */
const BROKEN_BLOCK_MAX = 4096;

/** An opener, and what may follow it. */
export interface BlockStart {
  /** Grammars whose call may stand in the block, the chosen format's own first. */
  readonly candidates: readonly BlockCandidate[];
  /** Length of the block's opener at the cursor; 0 for a bare call. */
  readonly openerLength: number;
}

export interface BlockCandidate {
  readonly grammar: CallGrammar;
  /** Set for a grammar of the fallback: only declared tools, and only whole calls. */
  readonly fallback: boolean;
}

/**
 * Reads a block: its opener, one or more calls, its closer; or one bare call.
 *
 * Until a call begins nothing is consumed, so that `reject` leaves the opener to be text.
 */
export class BlockReader {
  private state: 'before' | 'broken' | 'call' | 'skip' | 'after' = 'before';
  private chosen: BlockCandidate | undefined;
  private reader: FrameReader | undefined;
  /** Where the call being read, or the closer-less rest of the last one, ends so far. */
  private readonly start: number;
  private sawList = false;

  constructor(private readonly context: ReadingContext, private readonly block: BlockStart) {
    this.start = context.source.offset;
  }

  /** The grammar that was chosen; undefined before the first call. */
  get candidate(): BlockCandidate | undefined {
    return this.chosen;
  }

  run(): 'more' | 'done' | 'reject' {
    for (;;) {
      const result = this.step();
      if (result !== undefined) return result;
    }
  }

  /** The output is over and `run` wants more. */
  end(): 'done' | 'reject' {
    const { source, outputEnd } = this.context;
    switch (this.state) {
      case 'broken': return 'reject';
      case 'before':
        if (this.block.openerLength === 0) return 'reject';
        source.position = source.text.length;
        this.report('incomplete', []);
        return 'done';
      case 'call': {
        const whole = this.reader?.close(outputEnd === 'stop' ? 'stop' : 'none') === true;
        source.position = source.text.length;
        this.finish(whole ? 'repaired' : 'incomplete');
        return 'done';
      }
      case 'skip':
        source.position = source.text.length;
        this.finish('malformed');
        return 'done';
      default:
        if (this.block.openerLength > 0) this.reader?.attempt.note('missing-closer');
        this.finish();
        return 'done';
    }
  }

  private step(): 'more' | 'done' | 'reject' | undefined {
    switch (this.state) {
      case 'before': return this.block.openerLength === 0 ? this.openBare() : this.openFirst();
      case 'broken': return this.searchCloser();
      case 'call': return this.readCall();
      case 'skip': return this.skip();
      default: return this.after();
    }
  }

  private openBare(): 'more' | 'reject' | undefined {
    for (const candidate of this.block.candidates) {
      const name = lookName(candidate.grammar, this.context);
      if (name === 'more') return 'more';
      if (name !== 'no' && this.context.tools.has(name.name)) return this.begin(candidate, this.start, []);
    }
    return 'reject';
  }

  private openFirst(): 'more' | 'done' | undefined {
    const { source } = this.context;
    const opener = source.position;
    let index = afterSpace(source.text, opener + this.block.openerLength);
    if (source.text.charCodeAt(index) === 91 && this.block.candidates.some(({ grammar }) => grammar.head === '')) {
      this.sawList = true;
      index = afterSpace(source.text, index + 1);
    }
    source.position = index;
    const look = index === source.text.length || this.isCutHead(index) ? 'more' : this.choose();
    if (typeof look !== 'string') return this.begin(look, this.start, []);
    if (look === 'no' && this.lookClose() === 'yes') {
      source.position += this.closeLength;
      this.report('malformed', ['empty-block']);
      return 'done';
    }
    source.position = opener;
    if (look === 'more' || this.lookCloseAt(index) === 'more') return 'more';
    this.state = 'broken';
    return undefined;
  }

  /** The output ends inside what begins a call. */
  private isCutHead(index: number): boolean {
    const { source } = this.context;
    const rest = source.text.length - index;
    return source.final && this.block.candidates.some(({ grammar }) => rest < grammar.head.length && grammar.head.startsWith(source.text.slice(index)));
  }

  /** The first candidate whose call begins at the cursor. */
  private choose(): BlockCandidate | Look {
    let result: Look = 'no';
    for (const candidate of this.block.candidates) {
      const look = lookCall(candidate.grammar, this.context);
      if (look === 'yes') return candidate;
      if (look === 'more') result = 'more';
    }
    return result;
  }

  /** An opener that no call follows is a malformed attempt when the block closes soon, and else text. */
  private searchCloser(): 'more' | 'done' | 'reject' {
    const { source } = this.context;
    const close = this.closeText;
    const from = source.position + this.block.openerLength;
    const at = source.text.indexOf(close, from);
    const nextOpener = source.text.indexOf(source.text.slice(source.position, from), from);
    if (at >= 0 && at - from <= BROKEN_BLOCK_MAX && (nextOpener < 0 || at < nextOpener)) {
      source.position = at + close.length;
      this.report('malformed', ['no-call-in-block']);
      return 'done';
    }
    return source.final || at >= 0 || nextOpener >= 0 || source.text.length - from > BROKEN_BLOCK_MAX ? 'reject' : 'more';
  }

  private begin(candidate: BlockCandidate, start: number, notes: readonly string[]): undefined {
    this.chosen = candidate;
    this.reader = new FrameReader(this.context, candidate.grammar, new Attempt(this.context, start, candidate.fallback ? ['fallback', ...notes] : notes));
    this.state = 'call';
    return undefined;
  }

  private readCall(): 'more' | undefined {
    const { reader, context } = this;
    const result = reader?.run();
    if (result === 'more') return 'more';
    this.state = 'after';
    if (result === 'done' || this.chosen === undefined) return undefined;
    const boundary = lookBoundary(this.chosen.grammar, context);
    if (boundary === 'more') {
      this.state = 'call';
      return 'more';
    }
    if (boundary === 'no' || reader?.close('closer') !== true) this.state = 'skip';
    return undefined;
  }

  /** Behind a call that cannot be read: up to the block's closer, or to what begins another call. */
  private skip(): 'more' | 'done' | undefined {
    const { source } = this.context;
    const grammar = this.chosen?.grammar;
    if (grammar === undefined) return 'done';
    const firsts = new Set([this.closeText, ...grammar.openers].map((text) => text.charAt(0)));
    for (let i = source.position; i < source.text.length; i++) {
      if (!firsts.has(source.text.charAt(i))) continue;
      source.position = i;
      const close = this.lookClose();
      const opener = lookBoundary(grammar, this.context);
      if (close === 'more' || opener === 'more') return 'more';
      if (close === 'no' && opener === 'no') continue;
      if (close === 'yes') source.position += this.closeLength;
      this.finish('malformed');
      return 'done';
    }
    source.position = source.text.length;
    return 'more';
  }

  private after(): 'more' | 'done' | undefined {
    const { source } = this.context;
    const ended = source.position;
    const index = afterSpace(source.text, ended);
    source.position = index;
    if (index === source.text.length) return 'more';
    const close = this.lookClose();
    if (close === 'more') return 'more';
    if (close === 'yes') {
      if (this.block.openerLength === 0) this.reader?.attempt.note('missing-opener');
      source.position += this.closeLength;
      this.finish();
      return 'done';
    }
    const separator = this.passSeparator(source.text.charCodeAt(index));
    if (separator) return undefined;
    if (this.block.openerLength > 0 && this.chosen !== undefined) {
      const next = lookCall(this.chosen.grammar, this.context);
      if (next === 'more') return 'more';
      if (next === 'yes') return this.beginNext(this.chosen);
      this.reader?.attempt.note('missing-closer');
    }
    this.finish();
    return 'done';
  }

  private beginNext(candidate: BlockCandidate): undefined {
    const start = this.context.source.offset;
    this.finish();
    return this.begin(candidate, start, []);
  }

  /** Between JSON calls: commas and semicolons, the list's end, and brackets that are too many. */
  private passSeparator(code: number): boolean {
    if (this.chosen?.grammar.head !== '') return false;
    if (code === 44 || code === 59 || (code === 93 && this.sawList)) {
      this.context.source.position++;
      return true;
    }
    if (code !== 125 && code !== 93) return false;
    this.reader?.attempt.note('extra-bracket');
    this.context.source.position++;
    return true;
  }

  private finish(status?: ToolCallStatus): void {
    const attempt = this.reader?.attempt;
    attempt?.end(status ?? (attempt.wasRepaired ? 'repaired' : 'ok'), this.context.source.offset);
  }

  /** An attempt of which not even the name is known. */
  private report(status: ToolCallStatus, notes: readonly string[]): void {
    new Attempt(this.context, this.start, notes).end(status, this.context.source.offset);
  }

  private get closeText(): string {
    return (this.chosen ?? this.block.candidates[0])?.grammar.blockClose ?? '';
  }

  private get closeLength(): number {
    return this.closeText.length;
  }

  private lookClose(): Look {
    return this.lookCloseAt(this.context.source.position);
  }

  private lookCloseAt(index: number): Look {
    return this.closeText === '' ? 'no' : lookLiteral(this.context.source, index, this.closeText);
  }
}
