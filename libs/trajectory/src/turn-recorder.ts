import { AgentError, type FinishReason, type RoutedExperts, type TopPCandidates, type TurnRecord } from '@turnwright/contracts';
import { copyFinite, copyMask, copyTokenIds, requireLength } from './checked-copies.js';
import { matchingLength } from './token-tape.js';
import { TokenPool } from './token-pool.js';
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
  const pool = new TokenPool();
  const turns: TurnRecord[] = [];
  const record = (input: TurnInput): TurnRecord => {
    tapes.requireNew(input.id);
    const parent = tapes.find(input.parentId, input.id);
    const keptPrefix = 'promptTail' in input ? input.keptPrefix : parent === undefined ? 0 : matchingLength(parent.end, 0, input.promptIds);
    // The kept part equals tokens that were checked when they came; only the tail is read again.
    const [prompt, tailStart] = 'promptTail' in input ? [input.promptTail, 0] : [input.promptIds, keptPrefix];
    const [tailLength, outputLength] = [prompt.length - tailStart, input.outputIds.length];
    const { array, from } = pool.reserve(tailLength + outputLength);
    copyTokenIds(prompt, tailStart, array, from, vocabularySize, input.id, 'prompt');
    copyTokenIds(input.outputIds, 0, array, from + tailLength, vocabularySize, input.id, 'output');
    const outputStart = from + tailLength;
    const turn: TurnRecord = {
      id: input.id,
      ...(input.parentId === undefined ? {} : { parentId: input.parentId }),
      keptPrefix,
      promptTail: array.subarray(from, outputStart),
      outputIds: array.subarray(outputStart, outputStart + outputLength),
      outputLossMask: copyMask(input.outputLossMask, outputLength, input.id),
      finishReason: input.finishReason,
      ...optionalParts(input, keptPrefix, keptPrefix + tailLength + outputLength),
    };
    tapes.place(turn, undefined, { array, from });
    pool.keep(tailLength + outputLength);
    turns.push(turn);
    return turn;
  };
  return { record, turns };
}

type Optional = 'outputLogprobs' | 'spans' | 'exclusions' | 'weightVersion' | 'branchId' | 'operation' | 'toolsKey' | 'topP' | 'routedExperts';

/** Written out, since a generic copy of many fields is the greatest part of recording a short turn. */
function optionalParts(input: TurnInput, keptPrefix: number, length: number): Pick<TurnRecord, Optional> {
  const parts: { -readonly [K in Optional]?: TurnRecord[K] } = {};
  if (input.outputLogprobs !== undefined) parts.outputLogprobs = copyFinite(input.outputLogprobs, input.outputIds.length, input.id);
  if (input.spans !== undefined) parts.spans = input.spans;
  if (input.exclusions !== undefined) parts.exclusions = input.exclusions;
  if (input.weightVersion !== undefined) parts.weightVersion = input.weightVersion;
  if (input.branchId !== undefined) parts.branchId = input.branchId;
  if (input.operation !== undefined) parts.operation = input.operation;
  if (input.toolsKey !== undefined) parts.toolsKey = input.toolsKey;
  if (input.topP !== undefined) parts.topP = checkedTopP(input.topP, input.outputIds.length, input.id);
  if (input.routedExperts !== undefined) parts.routedExperts = ownExperts(input.routedExperts, keptPrefix, length, input.id);
  return parts;
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
