/**
 * Tells whether a place in prose is inside a code fence or an inline code span.
 *
 * A fence opens on a line that begins, after at most three blanks, with three or more backticks or tildes, and ends on such a line;
 * inline code is an odd number of backtick runs on the line so far. Both follow CommonMark 0.31 where one pass without lookahead can.
 */
export class CodeContext {
  private inFence = false;
  /** `start` nothing but blanks yet; `fence` in the line's leading run; `rest` after it. */
  private lineState: 'start' | 'fence' | 'rest' = 'start';
  private fenceCode = 0;
  private fenceRun = 0;
  private fenceOpener = 0;
  private inlineRuns = 0;
  private previous = 0;

  /** Takes the text `[from, to)` into account. */
  advance(text: string, from: number, to: number): void {
    for (let i = from; i < to; i++) this.take(text.charCodeAt(i));
  }

  get fenced(): boolean {
    return this.inFence || (this.lineState === 'fence' && this.fenceRun >= 3);
  }

  get inline(): boolean {
    return this.inlineRuns % 2 === 1;
  }

  /** True when the last character opened, or closed, an inline code span. */
  get justOpened(): boolean {
    return this.previous === 96;
  }

  get quoted(): boolean {
    return this.fenced || this.inline;
  }

  /** True when nothing but white space stands before on the line. */
  get atLineStart(): boolean {
    return this.lineState === 'start';
  }

  private take(code: number): void {
    if (code === 10) this.endLine();
    else if (this.lineState === 'start') this.startLine(code);
    else if (this.lineState === 'fence' && code === this.fenceCode) this.fenceRun++;
    else {
      if (this.lineState === 'fence') this.leaveRun(code);
      else if (code === 96 && this.previous !== 96) this.inlineRuns++;
    }
    this.previous = code;
  }

  private startLine(code: number): void {
    if (code === 96 || code === 126) {
      this.lineState = 'fence';
      this.fenceCode = code;
      this.fenceRun = 1;
      if (code === 96) this.inlineRuns = 1;
    } else if (code !== 32 && code !== 9 && code !== 13) this.lineState = 'rest';
  }

  private leaveRun(code: number): void {
    if (this.fenceRun >= 3) this.toggleFence();
    this.lineState = 'rest';
    if (code === 96) this.inlineRuns++;
  }

  private toggleFence(): void {
    if (!this.inFence) {
      this.inFence = true;
      this.fenceOpener = this.fenceCode;
    } else if (this.fenceCode === this.fenceOpener) this.inFence = false;
    this.inlineRuns = 0;
  }

  private endLine(): void {
    if (this.lineState === 'fence' && this.fenceRun >= 3) this.toggleFence();
    this.lineState = 'start';
    this.fenceRun = 0;
    this.inlineRuns = 0;
  }
}
