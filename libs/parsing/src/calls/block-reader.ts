import type { ToolCallStatus } from '@turnwright/contracts';
import { JsonScanner } from '../json/json-scanner.js';
import { afterSpace, isSpace, LOOKAHEAD_SPACE, lookAny, lookLiteral, type Look } from '../source/scan.js';
import { Attempt, type ReadingContext } from './attempt.js';
import { chooseCandidate, lookRestart, OPENING_SPACE_MAX, SCALAR_START, searchBrokenBlock, takesList, type BlockCandidate, type BlockStart } from './block-candidates.js';
import { FrameReader, lookBoundary, lookCall } from './frame-reader.js';

/**
 * Reads a block: its opener, one or more calls, its closer; or calls without an opener.
 *
 * Until a call begins nothing is consumed, so that `reject` leaves the opener to be text.
 */
export class BlockReader {
  private state: 'before' | 'broken' | 'call' | 'element' | 'skip' | 'after' = 'before';
  private element: JsonScanner | undefined;
  /** Behind a broken call of a list: a comma was the last thing but white space. */
  private afterComma = false;
  private chosen: BlockCandidate | undefined;
  private reader: FrameReader | undefined;
  /** Where the last attempt of the block ended: the next one covers everything from there. */
  private reached: number;
  private inList = false;

  constructor(private readonly context: ReadingContext, private readonly block: BlockStart) {
    this.reached = context.source.offset;
    // A list's bracket may be the end of the opener, as in `functools[`.
    this.inList = block.openerLength > 0 && context.source.text.charCodeAt(context.source.position + block.openerLength - 1) === 91 && block.candidates.some(({ grammar }) => grammar.format.block?.padding[1] === ']');
  }

  /** The grammar that was chosen; undefined before the first call. */
  get candidate(): BlockCandidate | undefined {
    return this.chosen;
  }

  /** The block is the chosen format's own, whatever was read in it. */
  get isNative(): boolean {
    return this.chosen === undefined ? this.block.candidates.some(({ fallback }) => !fallback) : !this.chosen.fallback;
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
        if (this.block.openerLength === 0 && this.block.declaredOnly) return 'reject';
        source.position = source.text.length;
        this.report('incomplete', []);
        return 'done';
      case 'call': {
        const whole = this.reader?.close(outputEnd === 'stop' ? 'stop' : 'none') === true;
        source.position = source.text.length;
        this.finish(whole ? 'repaired' : 'incomplete');
        return 'done';
      }
      case 'element':
      case 'skip':
        source.position = source.text.length;
        this.finish('malformed');
        return 'done';
      default:
        if (this.needsCloser || (this.block.openerLength > 0 && this.inList)) this.reader?.attempt.note('missing-closer');
        return this.finishAt(source.position);
    }
  }

  private step(): 'more' | 'done' | 'reject' | undefined {
    switch (this.state) {
      case 'before': return this.openFirst();
      case 'broken': return this.searchCloser();
      case 'call': return this.readCall();
      case 'element': return this.readElement();
      case 'skip': return this.skip();
      default: return this.after();
    }
  }

  private openFirst(): 'more' | 'done' | 'reject' | undefined {
    const { source } = this.context;
    const opener = source.position;
    let index = afterSpace(source.text, opener + this.block.openerLength, OPENING_SPACE_MAX);
    let opensList = false;
    if (!this.inList && source.text.charCodeAt(index) === 91 && this.block.candidates.some(({ grammar }) => takesList(grammar))) {
      opensList = true;
      index = afterSpace(source.text, index + 1, OPENING_SPACE_MAX);
    }
    source.position = index;
    const look = index === source.text.length ? 'more' : this.choose();
    if (typeof look !== 'string') {
      this.inList ||= opensList;
      return this.begin(look);
    }
    if (look === 'no' && this.block.openerLength > 0 && (opensList || this.inList) && SCALAR_START.test(source.text.charAt(index))) {
      this.inList = true;
      return this.beginElement();
    }
    const isEmpty = look === 'no' ? this.lookEmpty(opensList) : 'no';
    if (isEmpty === 'yes') return 'done';
    source.position = opener;
    if (look === 'more' || isEmpty === 'more') return source.final && this.block.declaredOnly && this.block.openerLength === 0 ? 'reject' : 'more';
    if (this.block.openerLength === 0) return 'reject';
    if ((opensList || this.inList) && this.closers.length === 0) return 'reject';
    this.state = 'broken';
    return undefined;
  }

  /** A block without a call: nothing was called, and its markup is no text. */
  private lookEmpty(opensList: boolean): Look {
    const { source } = this.context;
    let index = source.position;
    if ((opensList || this.inList) && source.text.charCodeAt(index) === 93) {
      index++;
      if (this.closers.length === 0 && this.block.openerLength === 0) return 'no';
      if (this.closers.length > 0) index = afterSpace(source.text, index, OPENING_SPACE_MAX);
      if (index === source.text.length && !source.final && this.closers.length > 0) return 'more';
      if (this.closers.length === 0 || index === source.text.length) {
        source.position = index;
        this.report('malformed', ['empty-block']);
        return 'yes';
      }
    }
    const look = this.lookCloseAt(index);
    if (look !== 'yes') return look;
    source.position = index + this.closeLengthAt(index);
    this.report('malformed', ['empty-block']);
    return 'yes';
  }

  private choose(candidates = this.block.candidates): BlockCandidate | Look {
    return chooseCandidate(this.context, candidates, this.block);
  }

  private searchCloser(): 'more' | 'done' | 'reject' | undefined {
    const { source } = this.context;
    const found = searchBrokenBlock(this.context, this.block, this.closers);
    if (found === 'more' || found === 'reject') return found;
    source.position = found.at;
    if ('candidate' in found) return this.begin(found.candidate, ['stray-text']);
    source.position += this.closeLengthAt(found.at);
    this.report('malformed', ['no-call-in-block']);
    return 'done';
  }

  private begin(candidate: BlockCandidate, notes: readonly string[] = []): undefined {
    this.chosen = candidate;
    this.reader = new FrameReader(this.context, candidate.grammar, new Attempt(this.context, this.reached, [...(candidate.fallback ? ['fallback'] : []), ...notes]));
    this.state = 'call';
    return undefined;
  }

  private readCall(): 'more' | undefined {
    const { reader, context } = this;
    const result = reader?.run();
    if (result === 'more') return 'more';
    this.state = 'after';
    if (result === 'done' || this.chosen === undefined) return undefined;
    if (reader?.isWhole === true && (this.inList || this.block.openerLength === 0)) {
      this.finishAs('malformed');
      return undefined;
    }
    const boundary = lookBoundary(this.chosen.grammar, context);
    if (boundary === 'more') {
      this.state = 'call';
      return 'more';
    }
    if (boundary === 'yes' && reader?.close('closer') === true) return undefined;
    this.state = 'skip';
    this.afterComma = false;
    return undefined;
  }

  /** Behind a call that cannot be read: up to the block's closer, or to what begins another call. */
  private skip(): 'more' | 'done' | undefined {
    const { source } = this.context;
    const grammar = this.chosen?.grammar;
    if (grammar === undefined) return 'done';
    const firsts = new Set([...this.closers, ...grammar.openers].map((text) => text.charAt(0)));
    const restarts = takesList(grammar);
    for (let i = source.position; i < source.text.length; i++) {
      const character = source.text.charAt(i);
      const restart = restarts && this.afterComma ? lookRestart(this.context, grammar, i) : 'no';
      if (restart === 'yes' || (restart === 'more' && !source.final)) {
        source.position = i;
        if (restart === 'more') return 'more';
        this.finishAs('malformed');
        return undefined;
      }
      if (!isSpace(source.text.charCodeAt(i))) this.afterComma = character === ',' || character === ';';
      if (!firsts.has(character)) continue;
      source.position = i;
      const close = this.lookCloseAt(i);
      const opener = lookAny(source, i, grammar.openers);
      if (close === 'more' || opener === 'more') return 'more';
      if (close === 'no' && opener === 'no') continue;
      if (close === 'no' && lookCall(grammar, this.context) !== 'no') {
        this.finishAs('malformed');
        return undefined;
      }
      if (close === 'yes') source.position += this.closeLengthAt(i);
      this.finish('malformed');
      return 'done';
    }
    source.position = source.text.length;
    return 'more';
  }

  private after(): 'more' | 'done' | undefined {
    const { source } = this.context;
    const ended = source.position;
    // Without a closer to wait for, white space behind the call is text; it stays in the window until what follows tells.
    const index = afterSpace(source.text, ended, this.awaitsCloser ? Number.POSITIVE_INFINITY : LOOKAHEAD_SPACE);
    const untold = this.awaitsCloser ? index : ended;
    source.position = index;
    if (index === source.text.length) return this.endsHere ? this.finishAt(ended) : this.waitAt(untold);
    const close = this.lookCloseAt(index);
    if (close === 'more') return this.waitAt(untold);
    if (close === 'yes') {
      if (this.block.openerLength === 0) this.reader?.attempt.note('missing-opener');
      source.position += this.closeLengthAt(index);
      this.finish();
      return 'done';
    }
    if (this.passSeparator(source.text.charCodeAt(index))) return this.endsHere ? this.finishAt(source.position) : undefined;
    const next = this.lookNext();
    if (typeof next !== 'string') return this.beginNext(next);
    if (next === 'more') return this.waitAt(untold);
    if (this.needsCloser) this.reader?.attempt.note('missing-closer');
    if (this.inList && SCALAR_START.test(source.text.charAt(index)) && this.block.openerLength > 0) {
      this.finish();
      this.beginElement();
      return undefined;
    }
    return this.finishAt(untold);
  }

  private waitAt(position: number): 'more' {
    this.context.source.position = position;
    return 'more';
  }

  /** Another call of the block: calls without a block stand alone, but for JSON calls, which may follow each other in a list. */
  private lookNext(): BlockCandidate | Look {
    if (this.chosen === undefined) return 'no';
    const { grammar, fallback } = this.chosen;
    if (!takesList(grammar) && (this.block.openerLength === 0 || this.closers.length === 0)) return 'no';
    return this.choose(this.block.candidates.filter((candidate) => candidate.fallback === fallback));
  }

  private get awaitsCloser(): boolean {
    return this.block.openerLength > 0 && this.closers.length > 0;
  }

  /** The closer is part of the format's shape, not only of one of its openers. */
  private get needsCloser(): boolean {
    return this.awaitsCloser && (this.chosen ?? this.block.candidates[0])?.grammar.format.block?.closes !== 'sometimes';
  }

  /** The list has ended and nothing closes the block. */
  private get endsHere(): boolean {
    return this.closers.length === 0 && !this.inList && this.sawListEnd;
  }

  private sawListEnd = false;

  private beginNext(candidate: BlockCandidate): undefined {
    this.finish();
    return this.begin(candidate);
  }

  /** In a list, a value that is no call costs only itself. */
  private beginElement(): 'reject' | undefined {
    const [candidate] = this.block.candidates;
    if (candidate === undefined) return 'reject';
    this.chosen ??= candidate;
    this.reader = new FrameReader(this.context, this.chosen.grammar, new Attempt(this.context, this.reached, ['no-call']));
    this.element = new JsonScanner(this.context.source, { text: () => undefined, note: () => undefined }, this.context.limits.depth);
    this.state = 'element';
    return undefined;
  }

  private readElement(): 'more' | undefined {
    const result = this.element?.run();
    if (result === 'done') this.finishAs('malformed');
    else if (result !== 'more') this.state = 'skip';
    return result === 'more' ? result : undefined;
  }

  /** Between calls of a list: commas and semicolons, the list's end, and brackets that are too many. */
  private passSeparator(code: number): boolean {
    const { source } = this.context;
    if (this.chosen === undefined || !takesList(this.chosen.grammar)) return false;
    if (code === 93 && this.inList) {
      this.inList = false;
      this.sawListEnd = true;
    } else if (code === 44 || (code === 59 && this.chosen.grammar.head.isEmpty)) {
      if (!this.inList && code === 44 && this.closers.length === 0) return false;
    } else if ((code === 125 || code === 93) && this.block.openerLength > 0 && this.closers.length > 0) this.reader?.attempt.note('extra-bracket');
    else return false;
    source.position++;
    return true;
  }

  private finishAs(status: ToolCallStatus): void {
    this.finish(status);
    this.reader = undefined;
    this.state = 'after';
  }

  private finishAt(position: number): 'done' {
    this.context.source.position = position;
    this.finish();
    return 'done';
  }

  private finish(status?: ToolCallStatus): void {
    const attempt = this.reader?.attempt;
    const start = this.reached;
    this.reached = this.context.source.offset;
    if (attempt === undefined) {
      // What stands behind a broken call of a list, its bracket for one, is no text either.
      if (this.reached > start) this.context.emit({ kind: 'markup', role: 'call', span: { start, end: this.reached } });
      return;
    }
    attempt.end(status ?? (attempt.wasRepaired ? 'repaired' : 'ok'), this.reached);
  }

  /** An attempt of which not even the name is known. */
  private report(status: ToolCallStatus, notes: readonly string[]): void {
    new Attempt(this.context, this.reached, notes).end(status, this.context.source.offset);
  }

  private get closers(): readonly string[] {
    return (this.chosen ?? this.block.candidates[0])?.grammar.blockClosers ?? [];
  }

  private lookCloseAt(index: number): Look {
    return lookAny(this.context.source, index, this.closers);
  }

  private closeLengthAt(index: number): number {
    return this.closers.find((closer) => lookLiteral(this.context.source, index, closer) === 'yes')?.length ?? 0;
  }
}
