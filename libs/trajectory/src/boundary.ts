import type { BoundaryCause, TokenSpan, TurnRecord } from '@turnwright/contracts';
import type { PlacedTurn } from './turn-tapes.js';

export interface Boundary {
  readonly cause: BoundaryCause;
  /** tokens, into the turn's prompt */
  readonly firstDifference: number;
}

/** A template's generation prompt may end with the opener of the reasoning, such as `<think>` and a newline. */
const REASONING_OPENER_TOKENS = 4;

/** Why `placed` opens a row, told from where its prompt leaves the turn before it. */
export function boundaryOf(placed: PlacedTurn, continues: boolean): Boundary {
  const { parent, keptPrefix } = placed;
  if (parent === undefined) return { cause: 'first-call', firstDifference: 0 };
  // A prompt that ends inside what its parent holds differs in nothing: the call was asked again.
  const cause = continues || keptPrefix === placed.prompt.length ? 'branch' : causeAt(keptPrefix, parent);
  return { cause, firstDifference: keptPrefix };
}

/** What stands at `position` of the prompt ++ output of `end`. */
function causeAt(position: number, end: PlacedTurn): BoundaryCause {
  let node: PlacedTurn | undefined = end;
  while (node !== undefined && position < node.keptPrefix) node = node.parent;
  if (node === undefined) return 'unknown';
  const offset = position - node.prompt.length;
  if (offset >= 0) return causeInOutput(node.turn, offset);
  const beforeReasoning = -offset <= REASONING_OPENER_TOKENS && node.turn.spans?.[0]?.kind === 'reasoning';
  return beforeReasoning ? 'template-dropped-reasoning' : 'harness-rewrite';
}

function causeInOutput({ spans }: TurnRecord, offset: number): BoundaryCause {
  const index = spans?.findIndex(({ span }) => span.start <= offset && offset < span.end) ?? -1;
  const span = spans?.[index];
  if (span === undefined) return 'unknown';
  if (span.kind === 'reasoning') return 'template-dropped-reasoning';
  return span.kind === 'template' && opensReasoning(spans?.[index + 1], index) ? 'template-dropped-reasoning' : 'retokenised-history';
}

/** Template tokens at the start of an output are an empty thought, which some templates drop from history like a real one. */
function opensReasoning(next: TokenSpan | undefined, index: number): boolean {
  return index === 0 || next?.kind === 'reasoning';
}
