/** Parts that are joined at a time. */
const JOIN_COUNT = 1024;

/** Text that comes in many small parts and is wanted whole. Parts are joined as they come, since tens of thousands that stay alive keep the collector busy. */
export class GrowingText {
  private readonly joined: string[] = [];
  private parts: string[] = [];

  add(part: string): void {
    this.parts.push(part);
    if (this.parts.length < JOIN_COUNT) return;
    this.joined.push(this.parts.join(''));
    this.parts = [];
  }

  whole(): string {
    return this.joined.join('') + this.parts.join('');
  }
}
