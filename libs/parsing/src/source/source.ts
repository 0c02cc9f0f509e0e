import { GrowingText } from './growing-text.js';

/**
 * A window over the model's output: what has been fed and not yet consumed.
 *
 * Readers look at `text` from `position` on and move `position`; `base` turns it into an offset of the whole output.
 * They consume as they go, so the window stays small and feeding stays linear. What must be kept longer is kept by the reader as slices.
 */
export class Source {
  text = '';
  /** Index into `text` of the first unconsumed character. */
  position = 0;
  /** Offset of `text[0]` in the whole output, in UTF-16 units. */
  base = 0;
  /** True once no more text will come. */
  final = false;
  /** Offsets at which control tokens stand; only in token mode. */
  private specials: Set<number> | undefined;
  /** Consumed text that may have to be read again, and the index from which the window's text still has to be added to it. */
  private kept: GrowingText | undefined;
  private keptTo = 0;

  feed(text: string): void {
    if (this.kept !== undefined) this.keepTo(this.position);
    this.text = this.position === this.text.length ? text : this.text.slice(this.position) + text;
    this.base += this.position;
    this.position = 0;
  }

  /** Says that the next text to be fed is one control token; from then on only such text can be a control marker. */
  markSpecial(isSpecial: boolean): void {
    this.specials ??= new Set();
    if (isSpecial) this.specials.add(this.end);
  }

  /** Whether a control marker may begin at `index` of the window. */
  allowsSpecialAt(index: number): boolean {
    return this.specials === undefined || this.specials.has(this.base + index);
  }

  /** True at a place that is known to be a control token, which no typed text can be. */
  isSpecialAt(index: number): boolean {
    return this.specials?.has(this.base + index) ?? false;
  }

  /** The offset of the first unconsumed character. */
  get offset(): number {
    return this.base + this.position;
  }

  /** The offset after everything fed. */
  get end(): number {
    return this.base + this.text.length;
  }

  /** From the cursor on, remembers what is consumed, until `release`. */
  keep(): void {
    this.kept = new GrowingText();
    this.keptTo = this.position;
  }

  /** Ends keeping and returns everything consumed since `keep`. */
  release(): string {
    this.keepTo(this.position);
    const text = this.kept?.whole() ?? '';
    this.kept = undefined;
    return text;
  }

  private keepTo(index: number): void {
    if (index > this.keptTo) this.kept?.add(this.text.slice(this.keptTo, index));
    this.keptTo = 0;
  }

  /** Puts `text`, which began at `offset`, back as the only content of the window. */
  rewind(text: string, offset: number): void {
    this.text = text;
    this.base = offset;
    this.position = 0;
  }
}
