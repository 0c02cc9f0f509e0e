import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/**
 * Cuts a response's texts and thoughts into the SDK's blocks.
 *
 * White space beside a thought or a call is the template's and is dropped, so that no block is blank; white space that begins or
 * ends the response's text is the model's.
 */
export class TextBlocks {
  private open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  private kind: 'text' | 'reasoning' | undefined;
  /** White space that counts only if more of its block follows. */
  private held = '';
  private nextId = 0;
  private atStart = true;

  add(kind: 'text' | 'reasoning', text: string): readonly LanguageModelV4StreamPart[] {
    const parts: LanguageModelV4StreamPart[] = this.kind === kind ? [] : this.close();
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
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }];
  }

  /** Nothing follows. */
  end(): LanguageModelV4StreamPart[] {
    const { open, held } = this;
    const last: LanguageModelV4StreamPart[] = open?.kind === 'text' && held !== '' ? [{ type: 'text-delta', id: open.id, delta: held }] : [];
    return [...last, ...this.close()];
  }
}
