import type { Frame, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { parseModelOutput } from './parse-model-output.js';

/** What is known of a model: its chat template's text, its name, or both. */
export interface FormatClues {
  readonly template?: string;
  readonly model?: string;
  /** A call as the chat template shows it: formats that do not read it are out, and its markers count as the template's. */
  readonly shown?: { readonly text: string; readonly name: string; readonly arguments: string };
}

/** The formats of a model and why, or those between which nothing decides. */
export type FormatChoice =
  | { readonly kind: 'chosen'; readonly format: ToolFormat; readonly reasoning: ReasoningFormat | undefined; readonly reason: string }
  | { readonly kind: 'unsure'; readonly candidates: readonly string[]; readonly reason: string };

interface Candidate {
  readonly format: ToolFormat;
  readonly reasoning: ReasoningFormat | undefined;
  /** Characters of the format's markers, when the template writes all of them. */
  readonly markers: number;
  /** The template writes at least what a block or a call begins with. */
  readonly opens: boolean;
  /** Length of the model family's name that was found in the model's name. */
  readonly named: number;
}

/**
 * Chooses formats as a person would: the chat template shows the markers that the model was trained to write, and the model's name says
 * which of several alike it is.
 *
 * Formats whose calls are written alike are one choice. When several that differ are left, none is chosen.
 */
export function chooseFormats(clues: FormatClues, formats: readonly ToolFormat[], reasoningFormats: readonly ReasoningFormat[]): FormatChoice {
  const reading = clues.shown === undefined ? [] : formats.filter((format) => reads(format, clues.shown, reasoningFormats));
  const weighed = (reading.length > 0 ? reading : formats).map((format) => weigh(format, clues, reasoningFormats));
  const shown = weighed.filter(({ markers }) => markers > 0);
  // A template may put its markers together from parts; then the opener and the model's name together say enough.
  const candidates = clues.template === undefined ? weighed.filter(({ named }) => named > 0) : shown.length > 0 ? shown : weighed.filter(({ opens, named }) => (opens || reading.length > 0) && named > 0);
  if (candidates.length === 0) return { kind: 'unsure', candidates: [], reason: clues.template === undefined ? `no format names the model "${clues.model ?? ''}"` : 'the chat template writes no known format\'s markers' };
  const most = Math.max(...candidates.map(({ markers }) => markers));
  const longest = candidates.filter(({ markers }) => clues.template === undefined || markers === most);
  const named = Math.max(...longest.map((candidate) => candidate.named));
  const best = longest.filter((candidate) => candidate.named === named).sort((a, b) => b.format.aliases.length - a.format.aliases.length);
  const [first] = best;
  if (first === undefined || best.some((other) => written(other.format) !== written(first.format))) return { kind: 'unsure', candidates: best.map(({ format }) => format.name), reason: 'several formats fit alike' };
  const why = [clues.template === undefined ? '' : `the chat template writes ${first.format.block?.open[0]?.text ?? ''}${headOf(first.format.call)}`, named > 0 ? `"${clues.model ?? ''}" is of its models` : ''].filter((part) => part !== '');
  return { kind: 'chosen', format: first.format, reasoning: first.reasoning, reason: why.join(', ') };
}

function reads(format: ToolFormat, shown: FormatClues['shown'], reasoningFormats: readonly ReasoningFormat[]): boolean {
  if (shown === undefined) return false;
  const reasoning = partnerOf(format, reasoningFormats);
  const { toolUses, attempts } = parseModelOutput(shown.text, { format, tools: [{ name: shown.name }], fallbacks: [], ...(reasoning === undefined ? {} : { reasoning }) });
  return toolUses.length === 1 && attempts[0]?.status === 'ok' && toolUses[0]?.name === shown.name && toolUses[0].input.replace(/\s/g, '') === shown.arguments.replace(/\s/g, '');
}

function partnerOf(format: ToolFormat, reasoningFormats: readonly ReasoningFormat[]): ReasoningFormat | undefined {
  return reasoningFormats.find(({ name, aliases }) => name === format.reasoning || aliases.includes(format.reasoning));
}

function weigh(format: ToolFormat, { template: text, model, shown }: FormatClues, reasoningFormats: readonly ReasoningFormat[]): Candidate {
  const reasoning = partnerOf(format, reasoningFormats);
  const template = shown === undefined || text === undefined ? text : `${text}${shown.text}`;
  const wrappers = [...format.wrappers, ...(reasoning?.wrappers ?? [])].flatMap(literalsOf);
  const markers = [format.block?.open[0]?.text ?? '', format.block?.close[0]?.text ?? '', ...literalsOf(format.call)].filter((text) => text !== '');
  // A format's wrappers set it apart from one with the same calls; end-of-text tokens are no part of templates.
  // A parenthesis stands in every template; only markers with letters in them say anything.
  const opener = format.block?.open[0]?.text ?? /^<[^>]+>/.exec(headOf(format.call))?.[0] ?? '';
  const fits = template !== undefined && markers.length > 0 && markers.some((marker) => /\p{L}/u.test(marker)) && markers.every((marker) => template.includes(marker)) && wrappers.filter((text) => !/^<\W*(?:\/s|end)/.test(text)).every((text) => template.includes(text));
  return { format, reasoning, opens: opener !== '' && template?.includes(opener) === true, markers: fits ? markers.join('').length : 0, named: nameLength(format.models, model) };
}

/** Longest name of a model family that the model's name holds, letters and digits alone. */
function nameLength(families: readonly string[], model: string | undefined): number {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = plain(model ?? '');
  return Math.max(0, ...families.map(plain).filter((family) => family !== '' && name.includes(family)).map(({ length }) => length));
}

function literalsOf(frame: Frame): readonly string[] {
  return frame.flatMap((step) => {
    if (step.kind === 'literal') return [step.text];
    return step.kind === 'body' && step.codec.kind === 'pairs' ? literalsOf(step.codec.pair) : [];
  });
}

function headOf(frame: Frame): string {
  return frame[0]?.kind === 'literal' ? frame[0].text : '';
}

/** How calls are written: two formats that say the same here read and write alike. */
function written({ block, call, variants }: ToolFormat): string {
  return JSON.stringify([block, call, variants]);
}
