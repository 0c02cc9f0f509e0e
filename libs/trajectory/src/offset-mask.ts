import { AgentError, type Span } from '@turnwright/contracts';

export interface OffsetMaskRequest {
  /** Where each token stands in the text. */
  readonly tokenOffsets: readonly Span[];
  /** What may be trained, in the same unit. */
  readonly trainable: readonly Span[];
  /** Only so many tokens are kept; all when absent. */
  readonly maxTokens?: number;
}

/**
 * The loss mask of a text whose trainable parts are known by their place.
 *
 * A token is trained when all of it lies in a part: one that reaches over an edge holds text that nobody sampled. A part is cut to the
 * tokens that are kept, and one that holds no whole token trains none (transformers #47325, #34494).
 * throws AgentError `no-trainable-tokens`, since a mask of zeros trains silently on nothing (marin #7237)
 */
export function maskFromOffsets({ tokenOffsets, trainable, maxTokens = Infinity }: OffsetMaskRequest): { readonly lossMask: Uint8Array; readonly truncated: boolean } {
  const kept = tokenOffsets.slice(0, maxTokens);
  const lossMask = Uint8Array.from(kept, ({ start, end }) => Number(end > start && trainable.some((part) => part.start <= start && end <= part.end)));
  if (!lossMask.includes(1)) throw new AgentError('no-trainable-tokens', `None of ${String(kept.length)} tokens can be trained; expected at least one inside ${String(trainable.length)} trainable parts.`);
  return { lossMask, truncated: kept.length < tokenOffsets.length };
}
