import type { Span } from './span.js';
import type { JsonText } from './json.js';

/** A piece of a model's output, as the server delivered it. */
export interface Piece {
  readonly text: string;
  readonly tokenId?: number;
  /** True when the token is a control token, so that its text is structure; false when the same text was typed. */
  readonly special?: boolean;
}

/**
 * How an attempted call ended. Only `ok` and `repaired` are callable.
 *
 * `incomplete` was cut inside its body; `malformed` cannot be read as a call.
 */
export type ToolCallStatus = 'ok' | 'repaired' | 'incomplete' | 'malformed';

/**
 * What the parser says while it reads, in order and append-only: nothing is ever taken back.
 *
 * The spans of `reasoning-delta`, `text-delta` and `markup`, and those from `call-start` to `call-end`, tile the source.
 * unit  spans are UTF-16 offsets into the whole output.
 */
export type ParseEvent =
  | { readonly kind: 'reasoning-delta'; readonly text: string; readonly span: Span }
  | { readonly kind: 'text-delta'; readonly text: string; readonly span: Span }
  | { readonly kind: 'markup'; readonly role: MarkupRole; readonly span: Span }
  | { readonly kind: 'call-start'; readonly index: number; readonly name: string; readonly id?: string; readonly span: Span }
  | { readonly kind: 'call-arguments-delta'; readonly index: number; readonly text: JsonText; readonly span: Span }
  | { readonly kind: 'call-end'; readonly index: number; readonly status: ToolCallStatus; readonly notes: readonly string[]; readonly span: Span };

/** Whose markup it is; a reasoning marker belongs to the reasoning when tokens are attributed. */
export type MarkupRole = 'reasoning' | 'call' | 'text';

/** One attempted call, callable or not. */
export interface ToolCallAttempt {
  /** Ordinal among the attempts of this output, from 0. */
  readonly index: number;
  /** The id that the model wrote, where its format has one. */
  readonly id?: string;
  /** Empty when the output ended, or broke, before a name. */
  readonly name: string;
  readonly arguments: JsonText;
  readonly status: ToolCallStatus;
  /** What was repaired or is odd, in kebab-case: `missing-closer`, `unknown-tool`, `duplicate-key`, … */
  readonly notes: readonly string[];
  /** Everything from the opener to the closer, as written. */
  readonly raw: string;
  readonly span: Span;
}
