/**
 * Remembers what was computed for a string, within a budget of characters.
 *
 * When the budget is spent everything is forgotten: cheaper than an order of use, and a session's text comes back at once.
 */
export class BoundedMemo<T> {
  private readonly entries = new Map<string, T>();
  private spent = 0;

  constructor(private readonly budgetUtf16: number) {}

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    const cost = key.length + ENTRY_COST;
    if (this.spent + cost > this.budgetUtf16) {
      this.entries.clear();
      this.spent = 0;
    }
    this.entries.set(detached(key), value);
    this.spent += cost;
  }
}

/** What an entry costs beside its characters. */
const ENTRY_COST = 32;

/** A copy that does not keep the text it was cut from alive: V8 stores a cut of 13 or more characters as a view. */
function detached(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
