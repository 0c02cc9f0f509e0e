import type { ParsedModelOutput, ParseEvent } from '@turnwright/contracts';
import { OutputCollector, OutputParser, type OutputEnd, type ParserOptions } from '@turnwright/parsing';

/** One reading of one output. */
export interface Reading {
  readonly output: ParsedModelOutput;
  readonly events: readonly ParseEvent[];
}

export function read(pieces: readonly string[], options: ParserOptions, end: OutputEnd): Reading {
  const parser = new OutputParser(options);
  const events: ParseEvent[] = [];
  for (const piece of pieces) events.push(...parser.feed(piece));
  events.push(...parser.finish(end));
  const collector = new OutputCollector();
  collector.take(events);
  return { output: collector.result(pieces.join('')), events };
}

/** What is wrong with a reading whatever the output was; undefined when nothing is. */
export function faultOf(text: string, { output, events }: Reading): string | undefined {
  return tilingFault(text, output) ?? eventFault(events) ?? argumentsFault(output);
}

/** Each character belongs to exactly one region. */
function tilingFault(text: string, output: ParsedModelOutput): string | undefined {
  let at = 0;
  for (const { kind, span } of output.regions) {
    if (span.start !== at || span.end < span.start) return `region ${kind} begins at ${String(span.start)}, expected ${String(at)}`;
    at = span.end;
  }
  return at === text.length ? undefined : `regions end at ${String(at)}, expected ${String(text.length)}`;
}

/** Calls open and close in order, none inside another, and spans never go back. */
function eventFault(events: readonly ParseEvent[]): string | undefined {
  let open: number | undefined;
  let at = 0;
  for (const event of events) {
    if (event.span.start < at) return `${event.kind} goes back to ${String(event.span.start)} from ${String(at)}`;
    at = event.span.end;
    if (event.kind === 'call-start') {
      if (open !== undefined) return `call ${String(event.index)} opens inside call ${String(open)}`;
      open = event.index;
    } else if (event.kind === 'call-arguments-delta' && event.index !== open) return `arguments of call ${String(event.index)} outside it`;
    else if (event.kind === 'call-end') open = undefined;
    else if (open !== undefined && event.kind !== 'call-arguments-delta') return `${event.kind} inside call ${String(open)}`;
  }
  return open === undefined ? undefined : `call ${String(open)} never ends`;
}

/** A callable call has a name, and arguments that are one JSON object. */
function argumentsFault(output: ParsedModelOutput): string | undefined {
  for (const { name, input } of output.toolUses) {
    if (name === '') return 'a callable call has no name';
    try {
      const value: unknown = JSON.parse(input);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return `arguments of ${name} are no object: ${input.slice(0, 80)}`;
    } catch (error) {
      return `arguments of ${name} are not JSON: ${String(error)}: ${input.slice(0, 80)}`;
    }
  }
  return undefined;
}

/** A reading without how its deltas were cut, for comparing readings of one output. */
export function essence({ output }: Reading): unknown {
  return { items: output.items, attempts: output.attempts, regions: output.regions };
}
