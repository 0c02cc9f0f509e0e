/** What the parse bench times, and how. */
import { OutputParser, parseModelOutput } from '@turnwright/parsing';

/**
 * Least time of `work` in milliseconds over at least `runs` runs and, when they are short, `budgetMs`; the first run only warms up.
 *
 * Of each run the wall's time counts, or the processor's when that is less: what the machine gave to other work is not the parser's.
 */
export function best(work, { runs = 3, budgetMs = 0 } = {}) {
  work();
  let least = Infinity;
  const end = performance.now() + budgetMs;
  for (let run = 0; run < runs || performance.now() < end; run++) {
    least = Math.min(least, once(work));
  }
  return least;
}

/** Time of one run in milliseconds. */
export function once(work) {
  const [before, start] = [process.cpuUsage(), performance.now()];
  work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const processor = (user + system) / 1000;
  return processor > 0 ? Math.min(wall, processor) : wall;
}

/** Reads a text in chunks of 4 characters, about what one token is. */
export function stream(text, options) {
  const parser = new OutputParser(options);
  let count = 0;
  for (let at = 0; at < text.length; at += 4) count += parser.feed(text.slice(at, at + 4)).length;
  return count + parser.finish('stop').length;
}

export function whole(text, options) {
  return parseModelOutput(text, options).attempts.length;
}

/** What no parser can avoid: the pieces, and one event for each. */
export function floor(text) {
  const events = [];
  for (let at = 0; at < text.length; at += 4) {
    const part = text.slice(at, at + 4);
    events.push({ kind: 'call-arguments-delta', index: 0, text: part, span: { start: at, end: at + part.length } });
  }
  return events.length;
}
