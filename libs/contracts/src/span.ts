import { z } from 'zod';

/**
 * A half-open range `[start, end)`.
 *
 * unit  UTF-16 code units of the text, or tokens of the ids, as the owner says.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const spanSchema = z
  .object({ start: z.int().nonnegative(), end: z.int().nonnegative() })
  .refine((span) => span.start <= span.end, { message: 'expected start <= end' });
