import type { BodyReader } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { escapeJson, quoteJson } from '../json/json-text.js';
import { lookAny } from '../source/scan.js';

/** Reads the body as the text of one argument, up to the first closer. */
export class TextArgumentReader implements BodyReader {
  private state: 'start' | 'text' | 'end' = 'start';
  private readonly firsts: ReadonlySet<string>;

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt, private readonly argument: string, private readonly closers: readonly string[]) {
    this.firsts = new Set(closers.map((closer) => closer.charAt(0)));
  }

  run(): 'more' | 'done' {
    const { source } = this.context;
    if (this.state === 'start') {
      this.attempt.argumentsText(`{${quoteJson(this.argument)}: "`);
      this.state = 'text';
    }
    for (let i = source.position; i < source.text.length; i++) {
      if (!this.firsts.has(source.text.charAt(i))) continue;
      const look = lookAny(source, i, this.closers);
      if (look === 'no') continue;
      this.take(i);
      if (look === 'more') return 'more';
      this.attempt.argumentsText('"}');
      this.state = 'end';
      return 'done';
    }
    this.take(source.text.length);
    return 'more';
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.state === 'end') return true;
    if (this.state === 'start' || evidence === 'none') return false;
    this.attempt.argumentsText('"}');
    this.state = 'end';
    return true;
  }

  private take(index: number): void {
    const { source } = this.context;
    if (index === source.position) return;
    const text = source.text.slice(source.position, index);
    source.position = index;
    this.attempt.argumentsText(escapeJson(text));
  }
}
