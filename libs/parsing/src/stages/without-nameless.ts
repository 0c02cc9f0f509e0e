import type { ParseEvent } from '@turnwright/contracts';

/** Values that name no tool, among calls that are the whole answer, are text (smg #2271). */
export function withoutNameless(events: readonly ParseEvent[], text: string, offset: number): readonly ParseEvent[] {
  const nameless = new Map<number, number>();
  for (const event of events) if (event.kind === 'call-start' && event.name === '') nameless.set(event.index, event.span.start);
  if (nameless.size === 0) return events;
  return events.flatMap((event): ParseEvent[] => {
    const start = 'index' in event ? nameless.get(event.index) : undefined;
    if (start === undefined) return [event];
    return event.kind === 'call-end' ? [{ kind: 'text-delta', text: text.slice(start - offset, event.span.end - offset), span: { start, end: event.span.end } }] : [];
  });
}
