import type { Span, TokenSegment } from '@turnwright/contracts';
import { PrefixTrie } from './prefix-trie.js';

/**
 * A segment as what it adds to another one, so that a trainer with tree attention computes each shared beginning once.
 *
 * The row is the first `sharedLength` tokens of the parent's row, all of them context here, then the tokens of `span`.
 */
export interface TreeRow {
  /** Into the rows; a parent stands before its children. Absent: the row shares nothing. */
  readonly parentIndex?: number;
  readonly sharedLength: number;
  /** tokens, into the tree's `ids`, `lossMask` and `logprobs` */
  readonly span: Span;
  /** Of the whole row, the rest of which is the response. */
  readonly promptLength: number;
  readonly hasLogprobs: boolean;
}

/** shape  `ids`, `lossMask` and `logprobs` are parallel `[T]`; every token of every row stands there once */
export interface TokenTree {
  readonly rows: readonly TreeRow[];
  readonly ids: Int32Array;
  readonly lossMask: Uint8Array;
  /** nats, 0 where a row has none */
  readonly logprobs: Float32Array;
}

/** A segment's tokens, which a tree row gives back. */
export type FlatRow = Pick<TokenSegment, 'promptIds' | 'responseIds' | 'lossMask' | 'logprobs'>;

/** Where a row hangs in the tree. */
export type RowPlace = Pick<TreeRow, 'parentIndex' | 'sharedLength'>;

/** The place of each segment, without its tokens. */
export function placeRows(segments: readonly FlatRow[]): RowPlace[] {
  const trie = new PrefixTrie();
  return segments.map(({ promptIds, responseIds, lossMask }, index) => {
    const { owner, length } = trie.insert([promptIds, responseIds], index);
    const sharedLength = Math.min(length, promptIds.length + firstTrained(lossMask));
    return owner === undefined || sharedLength === 0 ? { sharedLength: 0 } : { parentIndex: owner, sharedLength };
  });
}

/**
 * Segments as a prefix tree.
 *
 * A row shares no token that it trains: two calls that sampled the same ids after the same prompt each keep their loss.
 * Costs the tokens of the segments.
 */
export function packSegments(segments: readonly FlatRow[]): TokenTree {
  const places = placeRows(segments);
  const rows: TreeRow[] = [];
  let end = 0;
  for (const [index, { promptIds, responseIds, logprobs }] of segments.entries()) {
    const place = places[index] ?? { sharedLength: 0 };
    const start = end;
    end += promptIds.length + responseIds.length - place.sharedLength;
    rows.push({ ...place, span: { start, end }, promptLength: promptIds.length, hasLogprobs: logprobs !== undefined });
  }
  const tree: TokenTree = { rows, ids: new Int32Array(end), lossMask: new Uint8Array(end), logprobs: new Float32Array(end) };
  for (const [index, segment] of segments.entries()) fill(tree, rows[index], segment);
  return tree;
}

function firstTrained(mask: Uint8Array): number {
  const first = mask.indexOf(1);
  return first < 0 ? mask.length : first;
}

function fill({ ids, lossMask, logprobs }: TokenTree, row: TreeRow | undefined, segment: FlatRow): void {
  if (row === undefined) return;
  const { sharedLength, promptLength, span } = row;
  const responseStart = Math.max(sharedLength - promptLength, 0);
  if (sharedLength < promptLength) ids.set(segment.promptIds.subarray(sharedLength), span.start);
  const at = span.start + Math.max(promptLength - sharedLength, 0);
  ids.set(segment.responseIds.subarray(responseStart), at);
  lossMask.set(segment.lossMask.subarray(responseStart), at);
  if (segment.logprobs !== undefined) logprobs.set(segment.logprobs.subarray(responseStart), at);
}

/** The rows that a tree stands for, as they were before packing. */
export function expandTree(tree: TokenTree): FlatRow[] {
  const whole: Int32Array[] = [];
  return tree.rows.map(({ parentIndex, sharedLength, span, promptLength, hasLogprobs }) => {
    const length = sharedLength + span.end - span.start;
    const ids = new Int32Array(length);
    if (parentIndex !== undefined) ids.set(whole[parentIndex]?.subarray(0, sharedLength) ?? [], 0);
    ids.set(tree.ids.subarray(span.start, span.end), sharedLength);
    whole.push(ids);
    const responseLength = length - promptLength;
    const own = Math.max(sharedLength - promptLength, 0);
    const from = span.end - (responseLength - own);
    const lossMask = new Uint8Array(responseLength);
    lossMask.set(tree.lossMask.subarray(from, span.end), own);
    const logprobs = new Float32Array(hasLogprobs ? responseLength : 0);
    if (hasLogprobs) logprobs.set(tree.logprobs.subarray(from, span.end), own);
    return { promptIds: ids.subarray(0, promptLength), responseIds: ids.subarray(promptLength), lossMask, ...(hasLogprobs ? { logprobs } : {}) };
  });
}
