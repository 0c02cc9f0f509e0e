import type { ExclusionReason, MessagePart, TokenSpanKind } from '@turnwright/contracts';
import { parseJson, type JsonValue } from './json-value.js';
import { callParts, isWithheld, REASONING_JOINT, reasoningParts, TEXT_JOINT, textParts } from './template-messages.js';
import { strip, stripStart } from './python/text.js';

/** A run of a reply's text. */
export interface LayoutPiece {
  readonly kind: TokenSpanKind;
  readonly text: string;
  /** Why it is not trained: nobody sampled it, or it is damaged. */
  readonly excluded?: ExclusionReason;
}

export interface ReplyLayout {
  /** Tile the reply from the first sampled character to the end of its end-of-turn token. */
  readonly pieces: readonly LayoutPiece[];
  /** Where the first piece begins in the rendering, UTF-16 units. */
  readonly start: number;
  readonly flags: readonly string[];
}

type CallPart = MessagePart & { readonly kind: 'tool-call' };

/** What the template itself writes around the parts of a reply. */
export interface ReplyMarkup {
  /** Before the content of a reply without reasoning: Qwen3's empty think block. */
  readonly preamble: string;
  readonly reasoningOpen: string;
  readonly reasoningClose: string;
  readonly endOfTurn: string;
  /** The same for a reply with calls. */
  readonly endOfCalls: string;
  /** A reply of this one call, from the call's opener to its closer. */
  call(part: CallPart): string | undefined;
  /** A reply of all of these calls. */
  calls(parts: readonly CallPart[]): string | undefined;
}

/**
 * Finds each sampled part at its place in the reply's rendering, so that nothing is trained that the template changed or dropped.
 *
 * Every character between is markup that the template writes in a reply of the same kind. Returns what was not found.
 */
export function layOutReply(rendering: string, parts: readonly MessagePart[], markup: ReplyMarkup): ReplyLayout | { readonly missing: string } {
  const reader = new LayoutReader(rendering, markup);
  if (reasoningParts(parts).some((part) => part.text !== '')) {
    if (!reader.reasoning(parts)) return { missing: 'the reasoning' };
  } else if (!reader.preamble(parts)) return { missing: 'the beginning of a reply without reasoning' };
  if (!reader.content(parts)) return { missing: 'the text' };
  const missing = reader.calls(callParts(parts));
  if (missing !== undefined) return { missing: `the call of "${missing}"` };
  if (!reader.endOfTurn(callParts(parts).length > 0)) return { missing: 'the end of the turn' };
  const length = reader.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  return { pieces: reader.pieces, start: reader.end - length, flags: [...reader.flags] };
}

class LayoutReader {
  readonly pieces: LayoutPiece[] = [];
  readonly flags = new Set<string>();
  private cursor = 0;

  constructor(private readonly rendering: string, private readonly markup: ReplyMarkup) {}

  /** An empty think block is the template's; but where the prompt opened the reasoning, the model closed it. */
  preamble(parts: readonly MessagePart[]): boolean {
    const { preamble, reasoningOpen } = this.markup;
    const open = reasoningOpen.trim();
    if (preamble !== '' && (open === '' || !preamble.startsWith(open))) this.pieces.push({ kind: 'reasoning', text: preamble, ...because(parts.some(isWithheld) ? 'reasoning-withheld' : undefined) });
    return this.literal(preamble);
  }

  literal(text: string): boolean {
    if (!this.rendering.startsWith(text, this.cursor)) return false;
    this.cursor += text.length;
    return true;
  }

  reasoning(parts: readonly MessagePart[]): boolean {
    const { reasoningOpen, reasoningClose } = this.markup;
    const found = reasoningParts(parts);
    const excluded = because(firstExclusion(found));
    if (!this.literal(reasoningOpen)) return false;
    this.pieces.push({ kind: 'reasoning', text: reasoningOpen, ...excluded });
    if (!this.joined('reasoning', found, REASONING_JOINT, (after) => this.rendering.startsWith(reasoningClose, after))) return false;
    this.pieces.push({ kind: 'reasoning', text: reasoningClose, ...excluded });
    return this.literal(reasoningClose);
  }

  content(parts: readonly MessagePart[]): boolean {
    const [first, ...others] = callParts(parts);
    const next = first === undefined ? [this.markup.endOfTurn] : [this.markup.call(first), ...(others.length === 0 ? [] : [this.markup.calls([first, ...others])])].filter((text) => text !== undefined);
    return this.joined('text', textParts(parts), TEXT_JOINT, (after) => next.some((text) => this.gapBefore(text, after) !== undefined));
  }

  /** Calls one by one, or all in one block that the template writes around them. Returns the name of one that is missing. */
  calls(parts: readonly CallPart[]): string | undefined {
    const start = this.cursor;
    const before = this.pieces.length;
    const missing = parts.find((part) => !this.call([part], this.markup.call(part)));
    if (missing === undefined) return undefined;
    [this.cursor, this.pieces.length] = [start, before];
    return parts.length > 1 && this.call(parts, this.markup.calls(parts)) ? undefined : missing.name;
  }

  private call(parts: readonly CallPart[], text: string | undefined): boolean {
    const gap = text === undefined ? undefined : this.gapBefore(text, this.cursor);
    if (text === undefined || gap === undefined || !parts.every((part) => this.holdsCall(text, part))) return false;
    this.pieces.push({ kind: 'call', text: gap + text, ...because(firstExclusion(parts)) });
    this.cursor += gap.length + text.length;
    return true;
  }

  /** Where what was read ends. */
  get end(): number {
    return this.cursor;
  }

  endOfTurn(called: boolean): boolean {
    const endOfTurn = called ? this.markup.endOfCalls : this.markup.endOfTurn;
    const gap = this.gapBefore(endOfTurn, this.cursor);
    if (gap === undefined) return false;
    if (gap !== '') this.pieces.push({ kind: 'template', text: gap, excluded: 'template-text' });
    this.pieces.push({ kind: 'end-of-turn', text: endOfTurn });
    this.cursor += gap.length + endOfTurn.length;
    return true;
  }

  /** Parts that the template prints as one string, whole or without white space at its ends. */
  private joined(kind: TokenSpanKind, parts: readonly (MessagePart & { readonly text: string })[], joint: string, fits: (after: number) => boolean): boolean {
    const whole = parts.map((part) => part.text).join(joint);
    const found = candidates(whole).find((candidate) => this.rendering.startsWith(candidate, this.cursor) && fits(this.cursor + candidate.length));
    if (found === undefined) return false;
    if (found !== whole) this.flags.add('whitespace-normalised');
    this.cursor += found.length;
    if (new Set(parts.map(exclusionOf)).size <= 1) {
      if (found !== '') this.pieces.push({ kind, text: found, ...because(firstExclusion(parts)) });
      return true;
    }
    this.pieces.push(...cutByParts(kind, found, whole.indexOf(found), parts.map((part, index) => ({ length: part.text.length + (index === 0 ? 0 : joint.length), excluded: exclusionOf(part) }))));
    return true;
  }

  /** The white space between here and `text`, if nothing else is. */
  private gapBefore(text: string, from: number): string | undefined {
    let start = from;
    while (!this.rendering.startsWith(text, start)) {
      if (!/\s/.test(this.rendering[start] ?? 'end')) return undefined;
      start++;
    }
    return this.rendering.slice(from, start);
  }

  private holdsCall(text: string, part: CallPart): boolean {
    if (text.includes(part.name) && !text.includes(part.arguments, text.indexOf(part.name) + part.name.length)) this.flags.add('arguments-respelled');
    return holdsCall(text, part);
  }
}

/** Whether the name, and every key and string of the arguments, stand in the text, spelled as they are or as in JSON. */
export function holdsCall(text: string, part: CallPart): boolean {
  if (!text.includes(part.name)) return false;
  if (text.includes(part.arguments, text.indexOf(part.name) + part.name.length)) return true;
  return argumentTexts(part.arguments).every((value) => [value, JSON.stringify(value).slice(1, -1)].some((spelling) => text.includes(spelling)));
}

/** Why a part of a reply is not trained; undefined when it is. */
export function exclusionOf({ author, exactness }: MessagePart): ExclusionReason | undefined {
  if (author !== 'sampled') return author === 'copied' ? 'copied-reply' : 'not-sampled';
  return exactness === 'damaged' ? 'damaged-reply' : undefined;
}

function firstExclusion(parts: readonly MessagePart[]): ExclusionReason | undefined {
  return parts.map(exclusionOf).find((reason) => reason !== undefined);
}

function because(excluded: ExclusionReason | undefined): Pick<LayoutPiece, 'excluded'> {
  return excluded === undefined ? {} : { excluded };
}

/** What templates print of a text: all of it, or without newlines, or white space, at its ends. */
function candidates(text: string): readonly string[] {
  return [text, stripStart(text, '\n'), strip(text, '\n'), stripStart(text), strip(text)];
}

/** Cuts what was found of a joined text where its parts meet. */
export function cutByParts(kind: TokenSpanKind, found: string, offset: number, parts: readonly { readonly length: number; readonly excluded: ExclusionReason | undefined }[]): LayoutPiece[] {
  const pieces: LayoutPiece[] = [];
  let start = 0;
  let boundary = -offset;
  for (const [index, part] of parts.entries()) {
    boundary += part.length;
    const end = index === parts.length - 1 ? found.length : Math.min(Math.max(boundary, start), found.length);
    if (end > start) pieces.push({ kind, text: found.slice(start, end), ...because(part.excluded) });
    start = end;
  }
  return pieces;
}

/** Keys and strings of a call's arguments, which must stand in whatever a template makes of them. */
function argumentTexts(json: string): readonly string[] {
  const texts: string[] = [];
  const visit = (value: JsonValue): void => {
    if (typeof value === 'string') texts.push(value);
    else if (value instanceof Map) for (const [key, entry] of value as ReadonlyMap<string, JsonValue>) {
      texts.push(key);
      visit(entry);
    }
    else if (Array.isArray(value)) (value as readonly JsonValue[]).forEach(visit);
  };
  try {
    visit(parseJson(json));
  } catch {
    return [json];
  }
  return texts;
}


