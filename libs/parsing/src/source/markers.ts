import type { MarkerStep } from '@turnwright/contracts';
import { lookLiteral } from './scan.js';
import type { Source } from './source.js';

/** A marker that can begin something, and what it begins. */
export interface Marker<T> {
  readonly marker: MarkerStep;
  readonly value: T;
}

export type MarkerMatch<T> = { readonly look: 'yes'; readonly value: T; readonly length: number } | { readonly look: 'no' } | { readonly look: 'more' };

/** Attributes that a tag opener may carry although its format has none; longer ones are text. */
const ATTRIBUTES_MAX = 120;

/**
 * Finds the first of several markers.
 *
 * The first characters go into a table, so that a scan over text costs one look per character.
 */
export class MarkerSet<T> {
  private readonly byFirst = new Map<number, Marker<T>[]>();
  private readonly table = new Uint8Array(128);
  private otherFirst = false;

  constructor(markers: readonly Marker<T>[]) {
    for (const marker of [...markers].sort((a, b) => b.marker.text.length - a.marker.text.length)) {
      const first = marker.marker.text.charCodeAt(0);
      const list = this.byFirst.get(first);
      if (list === undefined) this.byFirst.set(first, [marker]);
      else list.push(marker);
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
    for (const { marker, value } of list) {
      if (marker.special && !source.allowsSpecialAt(index)) continue;
      const look = lookLiteral(source, index, marker.text);
      // A longer marker that may still come keeps the shorter one waiting.
      if (look === 'yes') return more ? { look: 'more' } : { look, value, length: marker.text.length };
      if (look === 'more') more = true;
      const attributed = more ? undefined : this.matchAttributed(source, index, marker.text);
      if (attributed === 'more') more = true;
      else if (attributed !== undefined) return { look: 'yes', value, length: attributed };
    }
    return { look: more ? 'more' : 'no' };
  }

  /** `<tool_call id="0">` for the marker `<tool_call>`: models add attributes that their template lacks. */
  private matchAttributed(source: Source, index: number, marker: string): number | 'more' | undefined {
    if (!/^<\w+>$/.test(marker)) return undefined;
    const head = marker.slice(0, -1) + ' ';
    const look = lookLiteral(source, index, head);
    if (look === 'no') return undefined;
    if (look === 'more') return 'more';
    const { text } = source;
    const limit = index + head.length + ATTRIBUTES_MAX;
    for (let i = index + head.length; i < limit; i++) {
      if (i >= text.length) return source.final ? undefined : 'more';
      const code = text.charCodeAt(i);
      if (code === 62) return text.includes('=', index) && text.indexOf('=', index) < i ? i + 1 - index : undefined;
      if (code === 10 || code === 60) return undefined;
    }
    return undefined;
  }
}
