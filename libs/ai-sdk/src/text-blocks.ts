import type { LanguageModelV4StreamPart, LanguageModelV4Text } from '@ai-sdk/provider';

/** What a provider says of a text. */
export type TextDescription = Pick<LanguageModelV4Text, 'citations' | 'providerMetadata'>;

/**
 * Cuts a response's texts and thoughts into the SDK's blocks.
 *
 * White space beside a thought or a call is the template's and is dropped, so that no block is blank; white space that begins or
 * ends the response's text is the model's. A text block has what the provider said of the text that it was cut from.
 */
export class TextBlocks {
  private open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  private kind: 'text' | 'reasoning' | undefined;
  /** White space that counts only if more of its block follows. */
  private held = '';
  private nextId = 0;
  private atStart = true;
  private described: TextDescription = {};
  /** UTF-16 units of the provider's text that came so far, and of those that the open block has. */
  private received = 0;
  private written = 0;

  /** The provider begins a text of its own; one that it says something of gets blocks of its own. */
  beginText(description: TextDescription): readonly LanguageModelV4StreamPart[] {
    const differs = isDescribed(description) || isDescribed(this.described);
    const parts = differs && this.open?.kind === 'text' ? this.end() : [];
    this.described = description;
    this.received = 0;
    this.written = 0;
    return parts;
  }

  /** More of the provider's text came, or it said more of it. */
  continueText(length: number, description: TextDescription): void {
    this.received += length;
    this.described = { ...this.described, ...description };
  }

  add(kind: 'text' | 'reasoning', text: string): readonly LanguageModelV4StreamPart[] {
    const parts: LanguageModelV4StreamPart[] = this.kind === undefined || this.kind === kind ? [] : this.close();
    if (kind === 'reasoning') this.atStart = false;
    this.kind = kind;
    const solid = text.trimEnd();
    if (solid === '') {
      this.held += text;
      return parts;
    }
    let delta = this.held + solid;
    this.held = text.slice(solid.length);
    if (this.open === undefined) {
      this.open = { kind, id: `turnwright-${kind}-${String(this.nextId++)}` };
      parts.push({ type: `${kind}-start`, id: this.open.id });
      if (!this.atStart) delta = delta.trimStart();
      this.atStart = false;
    }
    this.written += delta.length;
    parts.push({ type: `${kind}-delta`, id: this.open.id, delta });
    return parts;
  }

  /** Something else follows. */
  close(): LanguageModelV4StreamPart[] {
    const { open } = this;
    this.open = undefined;
    this.kind = undefined;
    this.held = '';
    this.atStart = false;
    const isWhole = this.written === this.received;
    this.written = 0;
    if (open === undefined) return [];
    return [open.kind === 'text' ? { type: 'text-end', id: open.id, ...descriptionOf(this.described, isWhole) } : { type: 'reasoning-end', id: open.id }];
  }

  /** Nothing follows. */
  end(): LanguageModelV4StreamPart[] {
    const { open, held } = this;
    if (open?.kind === 'text') this.written += held.length;
    const last: LanguageModelV4StreamPart[] = open?.kind === 'text' && held !== '' ? [{ type: 'text-delta', id: open.id, delta: held }] : [];
    return [...last, ...this.close()];
  }
}

function isDescribed({ citations, providerMetadata }: TextDescription): boolean {
  return citations !== undefined || providerMetadata !== undefined;
}

/** Only what is there; a citation keeps its offsets where they still count in the same text. */
export function descriptionOf({ citations, providerMetadata }: TextDescription, isWhole = true): TextDescription {
  const kept = isWhole ? citations : citations?.map(({ startIndex: _start, endIndex: _end, ...citation }) => citation);
  return { ...(kept === undefined ? {} : { citations: kept }), ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}
