import { byteLevelCharacter } from './byte-alphabet.js';
import type { ModelJson } from './tokenizer-files.js';

/**
 * Byte-pair encoding of one pre-token: its bytes, the pair of lowest rank merged first, of equal ones the leftmost.
 *
 * The library's own merger gives the same ids but needs 20 s for a run of a million equal characters; this one 1 s.
 * Returns undefined for a model with further rules, which only the library knows.
 * source huggingface/tokenizers models/bpe/word.rs merge_all
 */
export function createMerger(model: ModelJson): ((bytes: Uint8Array) => number[]) | undefined {
  if (model.type !== 'BPE' || model.continuing_subword_prefix || model.end_of_word_suffix || model.byte_fallback || model.ignore_merges) return undefined;
  const idOfByte = Array.from({ length: 0x100 }, (_, byte) => model.vocab[byteLevelCharacter(byte)]);
  if (idOfByte.includes(undefined)) return undefined;
  const merges = rankedMerges(model);
  return (bytes) => merge(Int32Array.from(bytes, (byte) => idOfByte[byte] ?? 0), merges);
}

interface Merge {
  readonly rank: number;
  readonly id: number;
}

/** More than any vocabulary has; a pair of ids below it is one exact number. */
const PAIR_BASE = 2 ** 24;

function rankedMerges(model: ModelJson): ReadonlyMap<number, Merge> {
  const merges = new Map<number, Merge>();
  for (const [rank, entry] of model.merges.entries()) {
    const [left = '', right = ''] = typeof entry === 'string' ? entry.split(' ') : entry;
    const [leftId, rightId, id] = [model.vocab[left], model.vocab[right], model.vocab[left + right]];
    if (leftId !== undefined && rightId !== undefined && id !== undefined) merges.set(leftId * PAIR_BASE + rightId, { rank, id });
  }
  return merges;
}

/** Symbols are a linked list over their positions; a candidate whose pair has changed since is stale. */
function merge(bytes: Int32Array, merges: ReadonlyMap<number, Merge>): number[] {
  const length = bytes.length;
  const symbols = bytes;
  const next = Int32Array.from(symbols, (_, index) => index + 1);
  const previous = Int32Array.from(symbols, (_, index) => index - 1);
  const queue = new CandidateQueue(3 * length);
  const mergeAt = (left: number): Merge | undefined => {
    const right = next[left] ?? length;
    return right >= length ? undefined : merges.get((symbols[left] ?? 0) * PAIR_BASE + (symbols[right] ?? 0));
  };
  const offer = (left: number): void => {
    const found = left < 0 ? undefined : mergeAt(left);
    if (found !== undefined) queue.push(found.rank * POSITION_BASE + left);
  };
  for (let index = 0; index + 1 < length; index++) offer(index);
  while (queue.size > 0) {
    const candidate = queue.pop();
    const left = candidate % POSITION_BASE;
    const found = symbols[left] === MERGED_AWAY ? undefined : mergeAt(left);
    if (found === undefined || found.rank !== (candidate - left) / POSITION_BASE) continue;
    const right = next[left] ?? length;
    const after = next[right] ?? length;
    symbols[left] = found.id;
    symbols[right] = MERGED_AWAY;
    next[left] = after;
    if (after < length) previous[after] = left;
    offer(previous[left] ?? -1);
    offer(left);
  }
  return Array.from(symbols).filter((symbol) => symbol !== MERGED_AWAY);
}

const MERGED_AWAY = -1;
/** Longer than any pre-token that fits a string; rank and position are together one exact number. */
const POSITION_BASE = 2 ** 29;

/** A binary heap of `rank * POSITION_BASE + position`: lowest rank first, then the leftmost. */
class CandidateQueue {
  private readonly heap: Float64Array;
  size = 0;

  constructor(capacity: number) {
    this.heap = new Float64Array(capacity);
  }

  push(candidate: number): void {
    const { heap } = this;
    let index = this.size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= candidate) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = candidate;
  }

  pop(): number {
    const { heap } = this;
    const first = heap[0] ?? 0;
    const last = heap[--this.size] ?? 0;
    let index = 0;
    for (let child = 1; child < this.size; child = 2 * index + 1) {
      if (child + 1 < this.size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
      const below = heap[child] ?? 0;
      if (last <= below) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
