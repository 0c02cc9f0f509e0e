import type { Splitter } from './added-tokens.js';
import type { Segment } from './jinja/trace.js';
import { concatenate, cut, textOf } from './python/data-text.js';
import type { Str } from './python/values.js';
import { joinIds, type StretchEncoder } from './stretch-encoder.js';

/** Ids of segments as of their whole text; undefined for text that has no UTF-8. */
export type SegmentEncoder = (segments: readonly Segment[]) => Int32Array | undefined;

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

/**
 * Encodes segments, each once: text between added tokens tokenizes by itself, so only where two segments meet is a stretch encoded
 * anew. A prompt that begins with the segments of the one before it begins with a copy of its ids.
 */
export function createSegmentEncoder(addedTokens: readonly string[], split: Splitter, encode: StretchEncoder): SegmentEncoder {
  const closed = createClosedTest(addedTokens);
  const longestTokenUtf16 = addedTokens.reduce((longest, token) => Math.max(longest, token.length), 0);
  const parts = new WeakMap<Segment, Parts>();
  const partsOf = (segment: Segment): Parts => {
    const known = parts.get(segment) ?? takeApart(segment.text, { split, encode, closed, longestTokenUtf16 });
    parts.set(segment, known);
    return known;
  };
  let last: Encoded = { segments: [], ends: [], ids: new Int32Array(0) };
  const whole = (segments: readonly Segment[]): Int32Array | undefined => encode(concatenate(...segments.map(({ text }) => text)));
  const joined: SegmentEncoder = (segments) => {
    const shared = sharedLength(segments, last);
    const joint = new Joint(last.ids.subarray(0, last.ends[shared - 1]?.ids ?? 0), last.ends[shared - 1]?.tail ?? '', split, encode);
    const ends = last.ends.slice(0, shared);
    for (const segment of segments.slice(shared)) {
      if (!joint.add(partsOf(segment))) return whole(segments);
      ends.push({ ids: joint.length, tail: joint.tail });
    }
    const ids = joint.finish();
    if (ids !== undefined) last = { segments, ends, ids };
    return ids;
  };
  return sampled(joined, whole);
}

/** Does a thing the quick way, and now and then the sure way too: when they differ, from then on only the sure way. */
function sampled(quick: SegmentEncoder, sure: SegmentEncoder): SegmentEncoder {
  let [encodings, nextSample, trusted] = [0, 1, true];
  return (segments) => {
    if (!trusted) return sure(segments);
    const ids = quick(segments);
    if (++encodings < nextSample) return ids;
    nextSample *= SAMPLES_APART;
    const expected = sure(segments);
    trusted = ids?.length === expected?.length && ids?.every((id, index) => id === expected?.[index]) !== false;
    return expected;
  };
}

/** Each sample is so many encodings after the one before, times over. */
const SAMPLES_APART = 5;

interface Encoded {
  readonly segments: readonly Segment[];
  /** After each segment: ids up to its last added token, and the text after that, which the next one may continue. */
  readonly ends: readonly { readonly ids: number; readonly tail: Str }[];
  readonly ids: Int32Array;
}

function sharedLength(segments: readonly Segment[], { segments: before }: Encoded): number {
  const longest = Math.min(segments.length, before.length);
  let same = 0;
  while (same < longest && segments[same] === before[same]) same++;
  return same;
}

class Joint {
  private readonly runs: (Int32Array | undefined)[];
  length: number;

  constructor(begun: Int32Array, public tail: Str, private readonly split: Splitter, private readonly encode: StretchEncoder) {
    this.runs = [begun];
    this.length = begun.length;
  }

  /** False when an added token could stand across the border, so that the segments do not tokenize by themselves. */
  add({ head, ids, next, firstToken, tail }: Parts): boolean {
    const met = textOf(this.tail) === '' ? head : concatenate(this.tail, head);
    if (firstToken === '') {
      this.tail = met;
      return true;
    }
    if (textOf(this.tail) !== '' && !this.beginsAt(textOf(met).length, concatenate(met, next), firstToken)) return false;
    this.push(this.encode(met));
    this.push(ids);
    this.tail = tail;
    return true;
  }

  finish(): Int32Array | undefined {
    return joinIds([...this.runs, this.encode(this.tail)]);
  }

  private beginsAt(place: number, text: Str, token: string): boolean {
    let start = 0;
    for (const stretch of this.split(text)) {
      if (start === place) return stretch.addedToken && stretch.text === token;
      start += stretch.text.length;
    }
    return false;
  }

  private push(ids: Int32Array | undefined): void {
    this.runs.push(ids);
    this.length += ids?.length ?? 0;
  }
}

interface Tools {
  readonly split: Splitter;
  readonly encode: StretchEncoder;
  readonly closed: (token: string) => boolean;
  readonly longestTokenUtf16: number;
}

function takeApart(text: Str, { split, encode, closed, longestTokenUtf16 }: Tools): Parts {
  let [start, end, offset, firstToken] = [-1, -1, 0, ''];
  for (const stretch of split(text)) {
    if (stretch.addedToken && start < 0) [start, firstToken] = [offset, stretch.text];
    offset += stretch.text.length;
    if (stretch.addedToken && closed(stretch.text)) end = offset;
  }
  if (end < 0) return { head: text, ids: new Int32Array(0), next: '', firstToken: '', tail: '' };
  return { head: cut(text, 0, start), ids: encode(cut(text, start, end)), next: cut(text, start, start + longestTokenUtf16), firstToken, tail: cut(text, end, offset) };
}

/** Whether no other added token begins with this one: what follows cannot make it longer. */
function createClosedTest(addedTokens: readonly string[]): (token: string) => boolean {
  const sorted = [...addedTokens].sort();
  const open = new Set(sorted.filter((token, index) => sorted[index + 1]?.startsWith(token) === true));
  return (token) => !open.has(token);
}
