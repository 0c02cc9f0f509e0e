import type { SessionReader } from '@turnwright/contracts';

/** The reader that is surest that the file is its own, from its first bytes; undefined when none is. Of equals the first one counts. */
export function detectReader(readers: readonly SessionReader[], head: Uint8Array, path: string): SessionReader | undefined {
  let best: SessionReader | undefined;
  let certainty = 0;
  for (const reader of readers) {
    const claimed = reader.detect(head, path);
    if (claimed > certainty) [best, certainty] = [reader, claimed];
  }
  return best;
}
