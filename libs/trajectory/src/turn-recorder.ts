import { AgentError, type FinishReason, type TokenExclusion, type TokenSpan, type TurnRecord } from '@turnwright/contracts';
import { matchingLength } from './token-tape.js';
import { TurnTapes } from './turn-tapes.js';

/** A call as a server or an encoder gives it. */
export type TurnInput = TurnPrompt & {
  readonly id: string;
  readonly parentId?: string;
  readonly outputIds: ArrayLike<number>;
  /** All ones when absent. */
  readonly outputLossMask?: ArrayLike<number>;
  /** nats, parallel to `outputIds` */
  readonly outputLogprobs?: ArrayLike<number>;
  readonly finishReason: FinishReason;
  readonly spans?: readonly TokenSpan[];
  readonly exclusions?: readonly TokenExclusion[];
};

/** The whole prompt, or what it adds to the first `keptPrefix` tokens of the parent's prompt ++ output. */
export type TurnPrompt = { readonly promptIds: ArrayLike<number> } | { readonly keptPrefix: number; readonly promptTail: ArrayLike<number> };

export interface TurnRecorder {
  /**
   * Records a call after its parent.
   *
   * throws AgentError `length-mismatch`, `duplicate-name` (id), `unknown-name` (parent), `bad-contract` (a token id, mask value or log-prob out of range)
   */
  record(input: TurnInput): TurnRecord;
  /** In the order in which they were recorded. */
  readonly turns: readonly TurnRecord[];
}

/** Makes turn records from full prompts without keeping a prompt per turn. */
export function createTurnRecorder(): TurnRecorder {
  const tapes = new TurnTapes();
  const turns: TurnRecord[] = [];
  const record = (input: TurnInput): TurnRecord => {
    tapes.requireNew(input.id);
    const turn = { ...promptOf(tapes, input), ...outputOf(input) };
    tapes.place(turn);
    turns.push(turn);
    return turn;
  };
  return { record, turns };
}

function promptOf(tapes: TurnTapes, input: TurnInput): Pick<TurnRecord, 'id' | 'parentId' | 'keptPrefix' | 'promptTail'> {
  const parent = tapes.find(input.parentId, input.id);
  const head = { id: input.id, ...(input.parentId === undefined ? {} : { parentId: input.parentId }) };
  if ('promptTail' in input) return { ...head, keptPrefix: input.keptPrefix, promptTail: tokenIds(input.promptTail, 0, input.id, 'prompt') };
  const keptPrefix = parent === undefined ? 0 : matchingLength(parent.end, 0, input.promptIds);
  // The kept part equals tokens that were checked when they came; only the tail is read again.
  return { ...head, keptPrefix, promptTail: tokenIds(input.promptIds, keptPrefix, input.id, 'prompt') };
}

function outputOf(input: TurnInput): Omit<TurnRecord, 'id' | 'parentId' | 'keptPrefix' | 'promptTail'> {
  const outputIds = tokenIds(input.outputIds, 0, input.id, 'output');
  return {
    outputIds,
    outputLossMask: lossMask(input, outputIds.length),
    ...(input.outputLogprobs === undefined ? {} : { outputLogprobs: logprobs(input.outputLogprobs, outputIds.length, input.id) }),
    finishReason: input.finishReason,
    ...(input.spans === undefined ? {} : { spans: input.spans }),
    ...(input.exclusions === undefined ? {} : { exclusions: input.exclusions }),
  };
}

function tokenIds(ids: ArrayLike<number>, start: number, turn: string, where: string): Int32Array {
  const copy = new Int32Array(ids.length - start);
  for (let i = 0; i < copy.length; i++) {
    const id = ids[start + i] ?? -1;
    copy[i] = id;
    if (copy[i] !== id || id < 0) throw badValue(turn, `${where} token ${String(start + i)} is ${String(id)}; expected an integer from 0 to 2147483647`);
  }
  return copy;
}

function lossMask(input: TurnInput, length: number): Uint8Array {
  const mask = input.outputLossMask;
  if (mask === undefined) return new Uint8Array(length).fill(1);
  requireLength(mask.length, length, input.id, 'loss mask');
  for (let i = 0; i < length; i++) {
    if (mask[i] !== 0 && mask[i] !== 1) throw badValue(input.id, `loss mask ${String(i)} is ${String(mask[i])}; expected 0 or 1`);
  }
  return Uint8Array.from(mask);
}

function logprobs(values: ArrayLike<number>, length: number, turn: string): Float32Array {
  requireLength(values.length, length, turn, 'log-probs');
  const copy = Float32Array.from(values);
  const bad = copy.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw badValue(turn, `log-prob ${String(bad)} is ${String(values[bad])}; expected a finite number`);
  return copy;
}

/** throws AgentError `length-mismatch` */
export function requireLength(found: number, expected: number, turn: string, what: string): void {
  if (found !== expected) throw new AgentError('length-mismatch', `Turn "${turn}": the ${what} has ${String(found)} entries; expected ${String(expected)}, one for each output token.`, { fields: { turn, found, expected } });
}

function badValue(turn: string, message: string): AgentError {
  return new AgentError('bad-contract', `Turn "${turn}": ${message}.`, { fields: { turn } });
}
