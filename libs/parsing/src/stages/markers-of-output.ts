import type { Frame, MarkerStep, ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import type { BlockCandidate } from '../calls/block-candidates.js';
import { compileCalls } from '../calls/call-grammar.js';
import { Head } from '../calls/head.js';
import { MarkerSet, type Marker } from '../source/markers.js';

/** What a marker in the output begins. */
export type OutputMarker =
  | { readonly kind: 'reasoning-open' }
  | { readonly kind: 'reasoning-close' }
  | { readonly kind: 'wrapper'; readonly head: Head }
  | BlockMarker;

export interface BlockMarker {
  readonly kind: 'block';
  readonly candidates: readonly BlockCandidate[];
  /** Whether the marker is a block's opener, or begins a call itself. */
  readonly opens: 'block' | 'call';
  /** Only calls of declared tools count. */
  readonly declaredOnly: boolean;
}

/** The markers that count in text and those that count inside reasoning, and what an answer may begin with. */
export interface OutputMarkers {
  readonly inText: MarkerSet<OutputMarker>;
  readonly inReasoning: MarkerSet<OutputMarker>;
  /** Markers around ordinary text alone: what is left where a call was looked for and none begins. */
  readonly wrappers: MarkerSet<OutputMarker>;
  /** Calls that count when they are the whole answer. */
  readonly wholeAnswer: BlockMarker | undefined;
}

export interface OutputFormats {
  readonly reasoning: ReasoningFormat | undefined;
  readonly format: ToolFormat | undefined;
  /** Formats that are tried on what the chosen format leaves as text. */
  readonly fallbacks: readonly ToolFormat[];
}

/** One marker for each opener, with every grammar that may follow it: the chosen format's own first. */
export function compileMarkers(formats: OutputFormats): OutputMarkers {
  const { reasoning, format } = formats;
  const thought: Marker<OutputMarker>[] = [
    ...(reasoning?.open ?? []).map((marker) => ({ marker, value: { kind: 'reasoning-open' } as const })),
    ...(reasoning?.close ?? []).map((marker) => ({ marker, value: { kind: 'reasoning-close' } as const })),
  ];
  const openers = new Map<string, Marker<BlockMarker>>();
  const blocks = [...(format === undefined ? [] : [{ format, fallback: false }]), ...formats.fallbacks.map((fallback) => ({ format: fallback, fallback: true }))];
  for (const block of blocks) addFormat(openers, block.format, block.fallback);
  const whole = blocks.filter((block) => block.format.bare === 'whole-answer').flatMap((block) => compileCalls(block.format).filter(({ head }) => head.first === '' || block.format.block === undefined).map((grammar) => ({ grammar, fallback: block.fallback })));
  const wrappers = [...(reasoning?.wrappers ?? []), ...(format?.wrappers ?? [])].map(wrapperMarker);
  const native = [...openers.values()].filter(({ value }) => value.candidates.some(({ fallback }) => !fallback));
  // Harmony closes thoughts and answers with one marker: in text it is a wrapper's.
  const wrapped = new Set(wrappers.map(({ marker }) => marker.text));
  const taken = new Set(openers.keys());
  return {
    inText: new MarkerSet<OutputMarker>([...thought.filter(({ marker, value }) => value.kind !== 'reasoning-close' || !wrapped.has(marker.text)), ...openers.values(), ...wrappers.filter(({ marker }) => !taken.has(marker.text))]),
    // Inside a thought only control tokens can be wrappers; words such as <answer> are part of it.
    inReasoning: new MarkerSet<OutputMarker>([...thought, ...native, ...wrappers.filter(({ marker }) => marker.special && !taken.has(marker.text) && !thought.some((other) => other.marker.text === marker.text))]),
    wrappers: new MarkerSet<OutputMarker>(wrappers),
    wholeAnswer: whole.length === 0 ? undefined : { kind: 'block', opens: 'call', declaredOnly: true, candidates: whole },
  };
}

function wrapperMarker(frame: Frame): Marker<OutputMarker> {
  const head = new Head(frame);
  return { marker: { text: head.first, special: head.isSpecial }, value: { kind: 'wrapper', head } };
}

function addFormat(openers: Map<string, Marker<BlockMarker>>, format: ToolFormat, fallback: boolean): void {
  const candidates = compileCalls(format).map((grammar): BlockCandidate => ({ grammar, fallback }));
  for (const open of format.block?.open ?? []) addCandidates(openers, open, candidates, { opens: 'block', declaredOnly: false });
  const unwrapped = format.block === undefined && format.bare === 'never';
  if (!unwrapped && format.bare !== 'declared') return;
  for (const candidate of candidates) {
    const { head } = candidate.grammar;
    if (head.first !== '') addCandidates(openers, { text: head.first, special: head.isSpecial }, [candidate], { opens: 'call', declaredOnly: !unwrapped || fallback });
  }
}

function addCandidates(openers: Map<string, Marker<BlockMarker>>, marker: MarkerStep, candidates: readonly BlockCandidate[], kind: Pick<BlockMarker, 'opens' | 'declaredOnly'>): void {
  const known = openers.get(marker.text);
  openers.set(marker.text, known === undefined ? { marker, value: { kind: 'block', candidates, ...kind } } : { marker: known.marker, value: { ...known.value, candidates: [...known.value.candidates, ...candidates] } });
}
