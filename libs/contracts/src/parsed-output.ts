import { z } from 'zod';
import { diagnosticSchema, type Diagnostic } from './diagnostics.js';
import { spanSchema } from './span.js';
import type { ToolCallAttempt } from './parse-events.js';
import type { Span } from './span.js';

/** What a region of a model's output is; the regions of an output tile it. */
export interface OutputRegion {
  readonly kind: 'text' | 'reasoning' | 'markup' | 'call';
  readonly span: Span;
  /** For `call`: the attempt. */
  readonly callIndex?: number;
  /** For `markup`: what it belongs to. */
  readonly role?: 'reasoning' | 'call' | 'text';
}

/** An output in order, neighbours of one kind joined. */
export type OutputItem =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly index: number; readonly name: string; readonly arguments: string };

/**
 * A model's output, read.
 *
 * `reasoning`, `text` and `toolUses` are slime's ParsedModelOutput (slime #1960); the rest says where everything stood.
 */
export interface ParsedModelOutput {
  readonly reasoning: string;
  readonly text: string;
  /** Only callable calls; `input` is the arguments' JSON text. */
  readonly toolUses: readonly { readonly id?: string; readonly name: string; readonly input: string }[];
  readonly items: readonly OutputItem[];
  readonly attempts: readonly ToolCallAttempt[];
  readonly regions: readonly OutputRegion[];
  readonly diagnostics: readonly Diagnostic[];
}

export const toolCallAttemptSchema = z.object({
  index: z.int().nonnegative(),
  id: z.string().optional(),
  name: z.string(),
  arguments: z.string(),
  status: z.enum(['ok', 'repaired', 'incomplete', 'malformed']),
  notes: z.array(z.string()),
  raw: z.string(),
  span: spanSchema,
});

export const parsedModelOutputSchema = z.object({
  reasoning: z.string(),
  text: z.string(),
  toolUses: z.array(z.object({ id: z.string().optional(), name: z.string(), input: z.string() })),
  items: z.array(z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('reasoning'), text: z.string() }),
    z.object({ kind: z.literal('tool-call'), index: z.int().nonnegative(), name: z.string(), arguments: z.string() }),
  ])),
  attempts: z.array(toolCallAttemptSchema),
  regions: z.array(z.object({ kind: z.enum(['text', 'reasoning', 'markup', 'call']), span: spanSchema, callIndex: z.int().nonnegative().optional(), role: z.enum(['reasoning', 'call', 'text']).optional() })),
  diagnostics: z.array(diagnosticSchema),
});
