import type { BodyReader } from '@turnwright/contracts';
import type { Attempt, ReadingContext } from '../calls/attempt.js';
import { afterSpace } from '../source/scan.js';
import { JsonScanner } from './json-scanner.js';
import { schemaConverter } from './schema-converter.js';

/** Reads `{…}`: the arguments alone, passed on as written. */
export class JsonArgumentsReader implements BodyReader {
  private readonly scanner: JsonScanner;
  private begun = false;
  private ended = false;

  constructor(private readonly context: ReadingContext, private readonly attempt: Attempt) {
    this.scanner = new JsonScanner(context.source, { text: (part) => { attempt.argumentsText(part); }, note: (code) => { attempt.note(code); } }, context.limits.depth, schemaConverter(context, attempt));
  }

  run(): 'more' | 'done' | 'malformed' {
    const { source } = this.context;
    if (!this.begun) {
      source.position = afterSpace(source.text, source.position);
      if (source.position === source.text.length) return 'more';
      if (source.text.charCodeAt(source.position) !== 123) return 'malformed';
      this.begun = true;
    }
    const result = this.scanner.run();
    if (result === 'more') return 'more';
    this.ended = result === 'done';
    return result === 'done' ? 'done' : 'malformed';
  }

  close(evidence: 'closer' | 'stop' | 'none'): boolean {
    if (this.ended) return true;
    const missing = this.begun && evidence !== 'none' ? this.scanner.missingClosers : undefined;
    if (missing === undefined) return false;
    this.attempt.argumentsText(missing);
    this.attempt.note('missing-brackets');
    this.ended = true;
    return true;
  }
}
