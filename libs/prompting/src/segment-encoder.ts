import type { Splitter, Stretch } from './added-tokens.js';
import { IdBuffer } from './id-buffer.js';
import { commonBeginning, type Rendering } from './jinja/rendering.js';
import type { Segment } from './jinja/trace.js';
import { concatenate, cut, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';
import type { StretchEncoder } from './stretch-encoder.js';

/** Ids of a rendering as of its whole text, to be read only; undefined for text that has no UTF-8. */
export type SegmentEncoder = (rendering: Rendering) => Int32Array | undefined;

/** A segment around its first added token and its last one that nothing could make longer. */
interface Parts {
  /** Before the first added token; all of it when the segment has no token to end at. */
  readonly head: Str;
  /** From the first of them to the last; undefined when a text has no UTF-8. */
  readonly ids: Int32Array | undefined;
  /** The text from the first added token on, as long as a token can be. */
  readonly next: Str;
  readonly firstToken: string;
  readonly tail: Str;
}

/** After a segment: how many ids there are up to its last added token, and the text after that, which the next one may continue. */
interface End {
  readonly idCount: number;
  readonly tail: Str;
}

const BEGINNING: End = { idCount: 0, tail: '' };

/**
 * Encodes segments, each once: text between added tokens tokenizes by itself, so only where two segments meet is a stretch encoded
 * anew. What a prompt has in common with the one before it is neither encoded nor copied.
 */
export function createSegmentEncoder(addedTokens: readonly string[], split: Splitter, encode: StretchEncoder): SegmentEncoder {
  const closed = createClosedTest(addedTokens);
  const longestTokenUtf16 = addedTokens.reduce((longest, token) => Math.max(longest, token.length), 0);
  const parts = new WeakMap<Segment, Parts>();
  const partsOf = (segment: Segment): Parts => {
    const known = parts.get(segment);
    if (known !== undefined) return known;
    const taken = takeApart(segment.text, { split, encode, closed, longestTokenUtf16 });
    parts.set(segment, taken);
    return taken;
  };
  const ends = new WeakMap<Rendering, End>();
  const buffer = new IdBuffer();
  let last: Rendering | undefined;
  const whole = (rendering: Rendering): Int32Array | undefined => encode.text(rendering.textAfter(undefined));
  const joined: SegmentEncoder = (rendering) => {
    const shared = last === undefined ? undefined : commonBeginning(rendering, last);
    last = undefined;
    const known = shared === undefined ? undefined : ends.get(shared);
    const begun = known === undefined ? undefined : shared;
    let end = known ?? BEGINNING;
    buffer.cut(end.idCount);
    for (const node of rendering.pathAfter(begun)) {
      const parts = partsOf(node.segment);
      const met = meet(end.tail, parts, split);
      if (met === undefined) return whole(rendering);
      if (parts.firstToken !== '' && !(buffer.add(encode.text(met)) && buffer.add(parts.ids))) return undefined;
      end = { idCount: buffer.length, tail: parts.firstToken === '' ? met : parts.tail };
      ends.set(node, end);
    }
    if (!buffer.add(encode.text(end.tail))) return undefined;
    last = rendering;
    return buffer.view();
  };
  return sampled(joined, whole);
}

/**
 * What stands before the segment's first added token, with the text before the segment; undefined when an added token could stand
 * across the border, so that the segments do not tokenize by themselves.
 */
function meet(before: Str, { head, next, firstToken }: Parts, split: Splitter): Str | undefined {
  if (textOf(before) === '') return head;
  const met = concatenate(before, head);
  return firstToken === '' || beginsAt(textOf(met).length, split(concatenate(met, next)), firstToken) ? met : undefined;
}

function beginsAt(place: number, stretches: readonly Stretch[], token: string): boolean {
  let start = 0;
  for (const stretch of stretches) {
    if (start === place) return stretch.addedToken && stretch.text === token;
    start += stretch.text.length;
  }
  return false;
}

/** Does a thing the quick way, and now and then the sure way too: when they differ, from then on only the sure way. */
function sampled(quick: SegmentEncoder, sure: SegmentEncoder): SegmentEncoder {
  let [encodings, nextSample, trusted] = [0, FIRST_SAMPLE, true];
  return (rendering) => {
    if (!trusted) return sure(rendering);
    const ids = quick(rendering);
    if (++encodings < nextSample) return ids;
    nextSample *= SAMPLES_APART;
    const expected = sure(rendering);
    trusted = ids?.length === expected?.length && ids?.every((id, index) => id === expected?.[index]) !== false;
    return trusted ? ids : expected;
  };
}

const FIRST_SAMPLE = 2;
/** Each sample is so many encodings after the one before, times over. */
const SAMPLES_APART = 5;

interface Tools {
  readonly split: Splitter;
  readonly encode: StretchEncoder;
  readonly closed: (token: string) => boolean;
  readonly longestTokenUtf16: number;
}

function takeApart(text: Str, { split, encode, closed, longestTokenUtf16 }: Tools): Parts {
  const stretches = split(text);
  const first = stretches.findIndex(({ addedToken }) => addedToken);
  const last = stretches.findLastIndex((stretch) => stretch.addedToken && closed(stretch.text));
  if (last < 0) return { head: text, ids: new Int32Array(0), next: '', firstToken: '', tail: '' };
  const start = lengthOf(stretches.slice(0, first));
  const between = stretches.slice(first, last + 1);
  return {
    head: cut(text, 0, start),
    ids: encode.stretches(between),
    next: cut(text, start, start + longestTokenUtf16),
    firstToken: between[0]?.text ?? '',
    tail: cut(text, start + lengthOf(between), textOf(text).length),
  };
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { text }) => sum + text.length, 0);
}

/** Whether no other added token begins with this one: what follows cannot make it longer. */
function createClosedTest(addedTokens: readonly string[]): (token: string) => boolean {
  const sorted = [...addedTokens].sort();
  const open = new Set(sorted.filter((token, index) => sorted[index + 1]?.startsWith(token) === true));
  return (token) => !open.has(token);
}
