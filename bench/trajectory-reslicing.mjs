/** The merge as one writes it first, and as Python's was: each turn slices and compares the whole prefix again. */
export function reslicingMerge(turns) {
  const rows = [];
  let [prompt, response, mask] = [undefined, [], []];
  for (const turn of turns) {
    const held = prompt === undefined ? undefined : [...prompt, ...response];
    if (held !== undefined && same(turn.promptIds.slice(0, held.length), held)) {
      const rest = turn.promptIds.slice(held.length);
      response = response.concat(rest);
      mask = mask.concat(rest.map(() => 0));
    } else {
      if (prompt !== undefined) rows.push({ prompt, response, mask });
      [prompt, response, mask] = [turn.promptIds.slice(), [], []];
    }
    response = response.concat(turn.outputIds);
    mask = mask.concat(turn.outputIds.map(() => 1));
  }
  if (prompt !== undefined) rows.push({ prompt, response, mask });
  return rows;
}

function same(a, b) {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
