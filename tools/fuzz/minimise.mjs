/** A shorter text for which `fails` still holds: ever smaller stretches are left out, until none can be or the time is over. */
export function minimise(text, fails, budgetMs = 20_000) {
  const end = performance.now() + budgetMs;
  let shortest = text;
  for (let size = Math.max(1, text.length >> 1); ; size = Math.max(1, size >> 1)) {
    const before = shortest.length;
    for (let at = 0; at < shortest.length && performance.now() < end; ) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + size);
      if (fails(shorter)) shortest = shorter;
      else at += size;
    }
    if (performance.now() >= end || (size === 1 && shortest.length === before)) return shortest;
  }
}
