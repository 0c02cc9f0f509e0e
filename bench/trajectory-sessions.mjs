/** Numbers that are the same in every run. */
function randomIds(count, seed) {
  const ids = new Int32Array(count);
  let state = seed | 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    ids[i] = (state >>> 8) % 150_000;
  }
  return ids;
}

/**
 * A session whose last turn ends at `tokens` tokens; a fifth of what a turn adds is sampled.
 *
 * With `driftEvery` n, every n-th prompt differs from what its parent holds in the middle of the parent's output. Each turn is given whole
 * (`promptIds`, an array of its own each, as from a server) or, with `tailsOnly`, as a tail (`keptPrefix`, `promptTail`).
 */
export function growingSession(turnCount, tokens, { driftEvery = 0, tailsOnly = false } = {}) {
  const perTurn = Math.floor(tokens / turnCount);
  const outputLength = Math.max(1, Math.floor(perTurn / 5));
  const tailLength = perTurn - outputLength;
  const turns = [];
  let held = randomIds(perTurn * turnCount, 7);
  let fill = 0;
  for (let i = 0; i < turnCount; i++) {
    const drifts = driftEvery > 0 && i > 0 && i % driftEvery === 0;
    let keptPrefix = fill;
    if (drifts) {
      held = held.slice();
      keptPrefix = fill - Math.ceil(outputLength / 2);
      held[keptPrefix] = (held[keptPrefix] + 1) % 150_000;
    }
    const promptEnd = fill + tailLength;
    const end = promptEnd + outputLength;
    turns.push({
      id: `t${i}`,
      ...(i === 0 ? {} : { parentId: `t${i - 1}` }),
      ...(tailsOnly ? { keptPrefix, promptTail: held.slice(keptPrefix, promptEnd) } : { promptIds: held.slice(0, promptEnd) }),
      outputIds: held.slice(promptEnd, end),
      outputLogprobs: new Float32Array(outputLength).fill(-0.25),
      finishReason: 'tool-calls',
    });
    fill = end;
  }
  return turns;
}

/** Tokens that no earlier turn holds. */
export function uniqueTokens(turns) {
  let [count, end] = [0, 0];
  for (const turn of turns) {
    const promptLength = turn.promptIds?.length ?? turn.keptPrefix + turn.promptTail.length;
    count += (turn.promptTail?.length ?? promptLength - Math.min(end, promptLength)) + turn.outputIds.length;
    end = promptLength + turn.outputIds.length;
  }
  return count;
}
