import type { MarkerStep } from '@turnwright/contracts';
import { lookLiteral } from './scan.js';
import type { Source } from './source.js';

/** A marker that can begin something, and what it begins. */
export interface Marker<T> {
  readonly marker: MarkerStep;
  readonly value: T;
}

export type MarkerMatch<T> = { readonly look: 'yes'; readonly value: T; readonly length: number } | { readonly look: 'no' } | { readonly look: 'more' };

interface KnownMarker<T> extends Marker<T> {
  /** What the marker begins with when it carries attributes: `<tool_call ` for `<tool_call>`. */
  readonly attributed: string | undefined;
}

/** Attributes that a tag opener may carry although its format has none; longer ones are text. */
const ATTRIBUTES_MAX = 120;

/**
 * Finds the first of several markers.
 *
 * The first characters go into a table, so that a scan over text costs one look per character.
 */
export class MarkerSet<T> {
  private readonly byFirst = new Map<number, KnownMarker<T>[]>();
  private readonly table = new Uint8Array(128);
  private otherFirst = false;

  constructor(markers: readonly Marker<T>[]) {
    for (const marker of [...markers].sort((a, b) => b.marker.text.length - a.marker.text.length)) {
      const first = marker.marker.text.charCodeAt(0);
      const known = { ...marker, attributed: /^<\w+>$/.test(marker.marker.text) ? `${marker.marker.text.slice(0, -1)} ` : undefined };
      const list = this.byFirst.get(first);
      if (list === undefined) this.byFirst.set(first, [known]);
      else list.push(known);
      if (first < 128) this.table[first] = 1;
      else this.otherFirst = true;
    }
  }

  /** Whether a marker could begin with this UTF-16 unit. */
  canBegin(code: number): boolean {
    return code < 128 ? this.table[code] === 1 : this.otherFirst && this.byFirst.has(code);
  }

  /** The longest marker at `index` of the window. */
  match(source: Source, index: number): MarkerMatch<T> {
    const list = this.byFirst.get(source.text.charCodeAt(index));
    if (list === undefined) return { look: 'no' };
    let more = false;
    for (const { marker, value, attributed: head } of list) {
      if (marker.special && !source.allowsSpecialAt(index)) continue;
      const look = lookLiteral(source, index, marker.text);
      // A longer marker that may still come keeps the shorter one waiting.
      if (look === 'yes') return more ? { look: 'more' } : { look, value, length: marker.text.length };
      if (look === 'more') more = true;
      const attributed = more || head === undefined ? undefined : this.matchAttributed(source, index, head);
      if (attributed === 'more') more = true;
      else if (attributed !== undefined) return { look: 'yes', value, length: attributed };
    }
    return { look: more ? 'more' : 'no' };
  }

  /** `<tool_call id="0">` for the marker `<tool_call>`: models add attributes that their template lacks. */
  private matchAttributed(source: Source, index: number, head: string): number | 'more' | undefined {
    const look = lookLiteral(source, index, head);
    if (look === 'no') return undefined;
    if (look === 'more') return 'more';
    const { text } = source;
    const limit = index + head.length + ATTRIBUTES_MAX;
    for (let i = index + head.length; i < limit; i++) {
      if (i >= text.length) return source.final ? undefined : 'more';
      const code = text.charCodeAt(i);
      if (code === 62) return text.slice(index, i).includes('=') ? i + 1 - index : undefined;
      if (code === 10 || code === 60) return undefined;
    }
    return undefined;
  }
}
