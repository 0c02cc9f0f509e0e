import type { BoundaryCause, ContextOperation, MergeOptions, TokenSpan, TurnBoundary, TurnRecord } from '@turnwright/contracts';
import { causeInOutputText, causeInPromptText } from './cause-in-text.js';
import { sliceSequence, type TokenSequence } from './token-tape.js';
import type { PlacedTurn } from './turn-tapes.js';

/** A template's generation prompt may end with the opener of the reasoning, such as `<think>` and a newline. */
const REASONING_OPENER_TOKENS = 4;

/** Operations that change what the model sees; the others only choose where it goes on from. */
const CHANGES: ReadonlySet<ContextOperation['kind'] | undefined> = new Set(['edit', 'rewind', 'compaction', 'cleared-results']);

/** Why `placed` opens a row, told from where its prompt leaves the turn before it. */
export function boundaryOf(placed: PlacedTurn, continues: boolean, options: MergeOptions = {}): TurnBoundary {
  const { parent, keptPrefix } = placed;
  if (parent === undefined) return { cause: 'first-call', firstDifference: 0, lostTokens: 0, repeatedTokens: 0 };
  // A prompt that ends inside what its parent holds differs in nothing: the call was asked again.
  const cause = continues || keptPrefix === placed.prompt.length ? 'branch' : causeOf(placed, parent, options);
  return { cause, firstDifference: keptPrefix, lostTokens: 0, repeatedTokens: keptPrefix };
}

function causeOf(placed: PlacedTurn, parent: PlacedTurn, { decode }: MergeOptions): BoundaryCause {
  if (CHANGES.has(placed.turn.operation)) return 'context-operation';
  const position = placed.keptPrefix;
  const owner = ownerOf(position, parent);
  if (owner === undefined) return 'unknown';
  const inHeader = position < firstOutputStart(parent);
  if (inHeader && placed.turn.toolsKey !== parent.turn.toolsKey && placed.turn.toolsKey !== undefined && parent.turn.toolsKey !== undefined) return 'tool-schema-change';
  const offset = position - owner.prompt.length;
  const told = offset >= 0 ? causeInOutput(owner.turn, offset, placed.prompt, position) : causeBeforeOutput(owner.turn, -offset);
  // Text tells nothing of a thought that spans do not, and an end token is a token, whatever its text.
  if (decode === undefined || told === 'template-dropped-reasoning' || offset === owner.turn.outputIds.length - 1) return told;
  const window = { before: parent.end, after: placed.prompt, position, decode };
  return offset >= 0 ? causeInOutputText(window, owner.prompt.length, owner.end.length) : causeInPromptText(window, inHeader);
}

/** The turn that brought the token at `position` of the prompt ++ output of `end`. */
function ownerOf(position: number, end: PlacedTurn): PlacedTurn | undefined {
  let node: PlacedTurn | undefined = end;
  while (node !== undefined && position < node.keptPrefix) node = node.parent;
  return node;
}

/** Where the first output stands in the prompt ++ output of `end`. */
function firstOutputStart(end: PlacedTurn): number {
  let [first, limit] = [Infinity, Infinity];
  for (let node: PlacedTurn | undefined = end; node !== undefined; node = node.parent) {
    if (node.prompt.length < limit) first = node.prompt.length;
    limit = Math.min(limit, node.keptPrefix);
  }
  return first;
}

function causeInOutput({ spans, outputIds }: TurnRecord, offset: number, prompt: TokenSequence, position: number): BoundaryCause {
  if (spans === undefined) return offset <= REASONING_OPENER_TOKENS && lacksBeginning(outputIds.subarray(offset), prompt, position) ? 'template-dropped-reasoning' : 'unknown';
  const index = spans.findIndex(({ span }) => span.start <= offset && offset < span.end);
  const span = spans[index];
  if (span === undefined) return 'unknown';
  if (span.kind === 'reasoning') return 'template-dropped-reasoning';
  return span.kind === 'template' && opensReasoning(spans[index + 1], index) ? 'template-dropped-reasoning' : 'retokenised-history';
}

/** Whether the prompt goes on with the output less a run at its start: what is dropped there is a thought (slime #2288). */
function lacksBeginning(output: Int32Array, prompt: TokenSequence, position: number): boolean {
  const rest = sliceSequence(prompt, position, Math.min(prompt.length, position + output.length));
  // One token, such as an end token, meets by chance.
  for (let dropped = 1; dropped <= output.length - 2; dropped++) {
    let same = 0;
    while (dropped + same < output.length && output[dropped + same] === rest[same]) same++;
    if (dropped + same === output.length) return true;
  }
  return false;
}

/** Template tokens at the start of an output are an empty thought, which some templates drop from history like a real one. */
function opensReasoning(next: TokenSpan | undefined, index: number): boolean {
  return index === 0 || next?.kind === 'reasoning';
}

function causeBeforeOutput(turn: TurnRecord, distance: number): BoundaryCause {
  return distance <= REASONING_OPENER_TOKENS && turn.spans?.[0]?.kind === 'reasoning' ? 'template-dropped-reasoning' : 'harness-rewrite';
}
