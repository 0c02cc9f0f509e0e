/** How a list came to be: so many entries of another one, then others. Lists are known by a token, so that no list keeps another alive. */
interface Origin {
  readonly token: object;
  readonly from: object | undefined;
  readonly shared: number;
}

const origins = new WeakMap<readonly unknown[], Origin>();

/** A list that begins as another one does; `sharedLength` then knows it without looking. */
export function continueList<T>(before: readonly T[], shared: number, added: readonly T[]): readonly T[] {
  const list = (shared === before.length ? before : before.slice(0, shared)).concat(added);
  origins.set(list, { token: {}, from: tokenOf(before), shared });
  return list;
}

const slices = new WeakMap<readonly unknown[], { readonly source: readonly unknown[]; readonly start: number }>();

/** `source.slice(start, end)`, which has in common what the sources have. */
export function sliceList<T>(source: readonly T[], start: number, end: number): readonly T[] {
  const slice = source.slice(start, end);
  slices.set(slice, { source, start });
  return slice;
}

function tokenOf(list: readonly unknown[]): object {
  const known = origins.get(list) ?? { token: {}, from: undefined, shared: 0 };
  origins.set(list, known);
  return known.token;
}

/** How many entries two lists have in common at their beginning. */
export function sharedLength(a: readonly unknown[], b: readonly unknown[]): number {
  if (a === b) return a.length;
  const longest = Math.min(a.length, b.length);
  let shared = Math.min(longest, Math.max(knownLength(origins.get(a), origins.get(b)), knownLengthOfSlices(a, b)));
  while (shared < longest && a[shared] === b[shared]) shared++;
  return shared;
}

function knownLength(a: Origin | undefined, b: Origin | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.from === b.token) return a.shared;
  if (b.from === a.token) return b.shared;
  return a.from !== undefined && a.from === b.from ? Math.min(a.shared, b.shared) : 0;
}

function knownLengthOfSlices(a: readonly unknown[], b: readonly unknown[]): number {
  const [left, right] = [slices.get(a), slices.get(b)];
  return left === undefined || right === undefined || left.start !== right.start ? 0 : Math.max(0, sharedLength(left.source, right.source) - left.start);
}
