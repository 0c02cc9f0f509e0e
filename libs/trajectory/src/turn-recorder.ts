import { AgentError, type FinishReason, type RoutedExperts, type TopPCandidates, type TurnRecord } from '@turnwright/contracts';
import { ArrayPool } from './array-pool.js';
import { copyFinite, copyMask, copyTokenIds, requireLength } from './checked-copies.js';
import { markChecked } from './require-sound-turns.js';
import { matchingLength } from './token-tape.js';
import { TurnTapes } from './turn-tapes.js';

/** A call as a server or an encoder gives it. */
export type TurnInput = TurnPrompt &
  Pick<TurnRecord, 'id' | 'parentId' | 'spans' | 'exclusions' | 'weightVersion' | 'branchId' | 'operation' | 'toolsKey'> & {
    readonly outputIds: ArrayLike<number>;
    /** All ones when absent. */
    readonly outputLossMask?: ArrayLike<number>;
    /** nats, parallel to `outputIds` */
    readonly outputLogprobs?: ArrayLike<number>;
    readonly finishReason: FinishReason;
    /** From any token of the prompt on. */
    readonly routedExperts?: RoutedExperts;
    readonly topP?: TopPCandidates;
  };

/** The whole prompt, or what it adds to the first `keptPrefix` tokens of the parent's prompt ++ output. */
export type TurnPrompt = { readonly promptIds: ArrayLike<number> } | { readonly keptPrefix: number; readonly promptTail: ArrayLike<number> };

export interface TurnRecorder {
  /**
   * Records a call after its parent; what is given may change afterwards.
   *
   * throws AgentError `length-mismatch`, `duplicate-name` (id), `missing-parent`, `bad-contract` (a token id, mask value or log-prob out of range)
   */
  record(input: TurnInput): TurnRecord;
  /** In the order in which they were recorded. */
  readonly turns: readonly TurnRecord[];
}

export interface RecorderOptions {
  /** Ids from here on are refused. Absent: any id from 0 to 2147483647 is taken. */
  readonly vocabularySize?: number;
}

/** Makes turn records from full prompts without keeping a prompt per turn. */
export function createTurnRecorder({ vocabularySize = 2 ** 31 }: RecorderOptions = {}): TurnRecorder {
  const tapes = new TurnTapes();
  const pools = { ids: new ArrayPool((length) => new Int32Array(length)), masks: new ArrayPool((length) => new Uint8Array(length)), logprobs: new ArrayPool((length) => new Float32Array(length)) };
  const turns: TurnRecord[] = [];
  markChecked(turns);
  const record = (input: TurnInput): TurnRecord => {
    tapes.requireNew(input.id);
    const parent = tapes.find(input.parentId, input.id);
    const listed = 'promptTail' in input;
    const keptPrefix = listed ? input.keptPrefix : parent === undefined ? 0 : matchingLength(parent.end, 0, input.promptIds);
    const turn = copyTurn(input, listed ? input.promptTail : input.promptIds, listed ? 0 : keptPrefix, keptPrefix, pools, vocabularySize);
    tapes.place(turn, undefined, { array: pools.ids.array, from: turn.promptTail.byteOffset >> 2 });
    pools.ids.keep(turn.promptTail.length + turn.outputIds.length);
    pools.masks.keep(turn.outputIds.length);
    if (turn.outputLogprobs !== undefined) pools.logprobs.keep(turn.outputIds.length);
    turns.push(turn);
    return turn;
  };
  return { record, turns };
}

interface Pools {
  readonly ids: ArrayPool<Int32Array>;
  readonly masks: ArrayPool<Uint8Array>;
  readonly logprobs: ArrayPool<Float32Array>;
}

/** The kept part equals tokens that were checked when they came; only the tail, `prompt` from `tailStart` on, is read. */
function copyTurn(input: TurnInput, prompt: ArrayLike<number>, tailStart: number, keptPrefix: number, pools: Pools, vocabularySize: number): TurnRecord {
  const [tailLength, outputLength] = [prompt.length - tailStart, input.outputIds.length];
  const from = pools.ids.reserve(tailLength + outputLength);
  const { array } = pools.ids;
  const outputStart = from + tailLength;
  copyTokenIds(prompt, tailStart, array, from, vocabularySize, input.id, 'prompt');
  copyTokenIds(input.outputIds, 0, array, outputStart, vocabularySize, input.id, 'output');
  const maskStart = pools.masks.reserve(outputLength);
  copyMask(input.outputLossMask, pools.masks.array, maskStart, outputLength, input.id);
  const turn: Draft = {
    id: input.id,
    keptPrefix,
    promptTail: new Int32Array(array.buffer, from * 4, tailLength),
    outputIds: new Int32Array(array.buffer, outputStart * 4, outputLength),
    outputLossMask: new Uint8Array(pools.masks.array.buffer, maskStart, outputLength),
    finishReason: input.finishReason,
  };
  if (input.parentId !== undefined) turn.parentId = input.parentId;
  if (input.outputLogprobs !== undefined) turn.outputLogprobs = copyFinite(input.outputLogprobs, pools.logprobs, outputLength, input.id);
  addOptional(turn, input, keptPrefix + tailLength + outputLength);
  return turn;
}

type Draft = { -readonly [K in keyof TurnRecord]: TurnRecord[K] };

/** Assigned one by one, since spreading many absent fields would be the greatest part of recording a short turn. */
function addOptional(turn: Draft, input: TurnInput, length: number): void {
  if (input.spans !== undefined) turn.spans = input.spans;
  if (input.exclusions !== undefined) turn.exclusions = input.exclusions;
  if (input.weightVersion !== undefined) turn.weightVersion = input.weightVersion;
  if (input.branchId !== undefined) turn.branchId = input.branchId;
  if (input.operation !== undefined) turn.operation = input.operation;
  if (input.toolsKey !== undefined) turn.toolsKey = input.toolsKey;
  if (input.topP !== undefined) turn.topP = checkedTopP(input.topP, input.outputIds.length, input.id);
  if (input.routedExperts !== undefined) turn.routedExperts = ownExperts(input.routedExperts, turn.keptPrefix, length, input.id);
}

function checkedTopP({ offsets, tokenIds }: TopPCandidates, outputLength: number, turn: string): TopPCandidates {
  requireLength(offsets.length, outputLength + 1, turn, 'top-p offsets', 'one more than output tokens');
  const ordered = offsets[0] === 0 && offsets.every((offset, i) => i === 0 || offset >= (offsets[i - 1] ?? 0));
  if (!ordered) throw new AgentError('bad-contract', `Turn "${turn}": the top-p offsets do not rise from 0.`, { fields: { turn } });
  requireLength(tokenIds.length, offsets.at(-1) ?? 0, turn, 'top-p candidates', 'where the offsets end');
  return { offsets: offsets.slice(), tokenIds: tokenIds.slice() };
}

/** The rows from the last kept token on: the parent never fed that one back, so only this call knows its experts. */
function ownExperts({ start, layers, topK, data }: RoutedExperts, keptPrefix: number, length: number, turn: string): RoutedExperts {
  const rowSize = layers * topK;
  const rows = data.length / rowSize;
  if (!Number.isInteger(rows) || start < 0 || start + rows > length) {
    throw new AgentError('length-mismatch', `Turn "${turn}": the routed experts have ${String(data.length)} entries from token ${String(start)} on; expected rows of ${String(rowSize)} for at most ${String(length)} tokens.`, { fields: { turn } });
  }
  const first = Math.max(start, keptPrefix - 1, 0);
  return { start: first, layers, topK, data: data.slice((first - start) * rowSize) };
}
