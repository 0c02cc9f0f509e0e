import type { ParseEvent } from '@turnwright/contracts';
import { GrowingText } from '../source/growing-text.js';

/** Deltas of one call, on their way to become one. */
interface JoinedDelta {
  readonly index: number;
  readonly start: number;
  readonly text: GrowingText;
  end: number;
}

/** Events that wait. Deltas of one call join to one, or a long argument would wait as tens of thousands of events. */
export class HeldEvents {
  private readonly events: ParseEvent[] = [];
  private delta: JoinedDelta | undefined;

  push(event: ParseEvent): void {
    if (event.kind !== 'call-arguments-delta') {
      this.endDelta();
      this.events.push(event);
    } else if (this.delta?.index === event.index) {
      this.delta.text.add(event.text);
      this.delta.end = event.span.end;
    } else {
      this.endDelta();
      this.delta = { index: event.index, start: event.span.start, text: new GrowingText(), end: event.span.end };
      this.delta.text.add(event.text);
    }
  }

  /** Called once. */
  all(): readonly ParseEvent[] {
    this.endDelta();
    return this.events;
  }

  private endDelta(): void {
    const { delta } = this;
    if (delta === undefined) return;
    this.events.push({ kind: 'call-arguments-delta', index: delta.index, text: delta.text.whole(), span: { start: delta.start, end: delta.end } });
    this.delta = undefined;
  }
}
