import type { ReasoningFormat, ToolFormat } from '@turnwright/contracts';
import { compileCall } from '../calls/frame-reader.js';
import type { BlockCandidate } from '../calls/block-reader.js';
import { MarkerSet, type Marker } from '../source/markers.js';

/** What a marker in the output begins. */
export type OutputMarker =
  | { readonly kind: 'reasoning-open' }
  | { readonly kind: 'reasoning-close' }
  | { readonly kind: 'block'; readonly candidates: readonly BlockCandidate[]; readonly bare: boolean; readonly special: boolean };

/** The markers that count in text and those that count inside reasoning. */
export interface OutputMarkers {
  readonly inText: MarkerSet<OutputMarker>;
  readonly inReasoning: MarkerSet<OutputMarker>;
}

export interface OutputFormats {
  readonly reasoning: ReasoningFormat | undefined;
  readonly format: ToolFormat | undefined;
  /** Formats that are tried on what the chosen format leaves as text. */
  readonly fallbacks: readonly ToolFormat[];
}

/** One marker for each opener, with every grammar that may follow it: the chosen format's own first. */
export function compileMarkers(formats: OutputFormats): OutputMarkers {
  const reasoning = formats.reasoning === undefined ? [] : [
    { marker: formats.reasoning.open, value: { kind: 'reasoning-open' } as const },
    { marker: formats.reasoning.close, value: { kind: 'reasoning-close' } as const },
  ];
  const own = formats.format === undefined ? [] : [{ format: formats.format, fallback: false }];
  const blocks = [...own, ...formats.fallbacks.map((format) => ({ format, fallback: true }))];
  const openers = new Map<string, Marker<OutputMarker>>();
  for (const { format, fallback } of blocks) {
    const candidate: BlockCandidate = { grammar: compileCall(format), fallback };
    if (format.block !== undefined) addCandidate(openers, format.block.open, candidate, false);
    if (format.bare === 'declared' && candidate.grammar.head !== '') addCandidate(openers, { text: candidate.grammar.head, special: false }, candidate, true);
  }
  const native = [...openers.values()].filter(({ value }) => value.kind === 'block' && value.candidates.some(({ fallback }) => !fallback));
  return { inText: new MarkerSet([...reasoning, ...openers.values()]), inReasoning: new MarkerSet([...reasoning, ...native]) };
}

function addCandidate(openers: Map<string, Marker<OutputMarker>>, marker: { readonly text: string; readonly special: boolean }, candidate: BlockCandidate, bare: boolean): void {
  const known = openers.get(marker.text);
  const candidates = known?.value.kind === 'block' ? [...known.value.candidates, candidate] : [candidate];
  openers.set(marker.text, { marker: known?.marker ?? marker, value: { kind: 'block', candidates, bare, special: known?.marker.special ?? marker.special } });
}
