/** slime's TurnRecord at #1960: a full prompt each. */
export interface SlimeTurn {
  readonly promptIds: readonly number[];
  readonly outputIds: readonly number[];
  /** All ones when absent. */
  readonly outputLossMask?: readonly number[];
  readonly finishReason?: string;
}

/**
 * slime's TokenSegment at #1960.
 *
 * shape  `responseIds` and `lossMask` are parallel `[T]`; mask values are the turns' own, 2 and -1 included.
 */
export interface SlimeSegment {
  readonly promptIds: readonly number[];
  readonly responseIds: readonly number[];
  readonly lossMask: readonly number[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What slime logs and its segment does not say. */
export interface SlimeNote {
  readonly turnIndex: number;
  readonly kind: 'rebaseline' | 'fresh-start' | 'mask-length';
}

/**
 * Joins turns exactly as slime does: append, drift rebaseline, fresh start.
 *
 * An empty first prompt begins every prompt, so a fresh start cannot follow it.
 * source slime #1960 (ad3b87445) merge_turns
 */
export function mergeTurns(turns: readonly SlimeTurn[], metadata: Readonly<Record<string, unknown>> = {}, note: (note: SlimeNote) => void = () => undefined): SlimeSegment | null {
  const first = turns[0];
  if (first === undefined) return null;
  let promptIds = first.promptIds;
  let [responseIds, lossMask]: number[][] = [[], []] as [number[], number[]];
  for (const [turnIndex, turn] of turns.entries()) {
    const kind = joinOf(promptIds, responseIds, turn.promptIds);
    if (kind === 'fresh-start') {
      [promptIds, responseIds, lossMask] = [turn.promptIds, [], []];
    } else {
      // On a rebaseline the tail restates the whole response, so only the mask tells the cases apart.
      if (kind === 'rebaseline') [responseIds, lossMask] = [[], []];
      for (let i = promptIds.length + responseIds.length; i < turn.promptIds.length; i++) responseIds.push(turn.promptIds[i] ?? 0);
      while (lossMask.length < responseIds.length) lossMask.push(0);
    }
    if (kind !== 'append') note({ turnIndex, kind });
    const mask = turn.outputLossMask;
    const usable = mask === undefined || mask.length === turn.outputIds.length;
    if (!usable) note({ turnIndex, kind: 'mask-length' });
    for (let i = 0; i < turn.outputIds.length; i++) {
      responseIds.push(turn.outputIds[i] ?? 0);
      lossMask.push(usable ? (mask?.[i] ?? 1) : 0);
    }
  }
  return { promptIds: [...promptIds], responseIds, lossMask, metadata: { ...metadata } };
}

function joinOf(promptIds: readonly number[], responseIds: readonly number[], next: readonly number[]): 'append' | 'rebaseline' | 'fresh-start' {
  if (!startsAt(next, promptIds, 0)) return 'fresh-start';
  return startsAt(next, responseIds, promptIds.length) ? 'append' : 'rebaseline';
}

function startsAt(ids: readonly number[], part: readonly number[], start: number): boolean {
  if (ids.length < start + part.length) return false;
  for (let i = 0; i < part.length; i++) if (ids[start + i] !== part[i]) return false;
  return true;
}
