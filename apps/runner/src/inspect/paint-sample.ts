import type { Tokenizer, TrainingSampleRow } from '@turnwright/contracts';

const TRAINED = '\u001b[32m';
const CONTEXT = '\u001b[2m';
const RESET = '\u001b[0m';

/** A sample's text: trained tokens green, or between ⟦ and ⟧; context dim. Nothing is left out. */
export function paintSample(row: TrainingSampleRow, tokenizer: Tokenizer, options: { readonly color: boolean }): readonly string[] {
  const trained = row.loss_mask.reduce((sum: number, bit) => sum + bit, 0);
  const head = `${row.id}  ${String(row.prompt_ids.length)} + ${String(row.response_ids.length)} tokens, ${String(trained)} trained, ${row.status}, reward ${row.reward === null ? 'none' : String(row.reward)}, weight ${String(row.weight)}`;
  const runs = [{ ids: row.prompt_ids, trained: false }, ...runsOf(row)];
  const paint = (text: string, isTrained: boolean): string => {
    if (!options.color) return isTrained ? `⟦${text}⟧` : text;
    return text.split('\n').map((line) => (line === '' ? '' : `${isTrained ? TRAINED : CONTEXT}${line}${RESET}`)).join('\n');
  };
  return [head, '', ...runs.map(({ ids, trained: isTrained }) => paint(tokenizer.decode(ids), isTrained)).join('').split('\n')];
}

function runsOf(row: TrainingSampleRow): { ids: number[]; trained: boolean }[] {
  const runs: { ids: number[]; trained: boolean }[] = [];
  row.response_ids.forEach((id, index) => {
    const trained = row.loss_mask[index] === 1;
    const last = runs.at(-1);
    if (last?.trained === trained) last.ids.push(id);
    else runs.push({ ids: [id], trained });
  });
  return runs;
}
