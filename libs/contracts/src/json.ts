import { z } from 'zod';

/** A JSON schema as tools carry it; only the parts that a reader looks at are named elsewhere. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * JSON text whose number lexemes, key order and escapes must survive.
 *
 * Never parse and print it again: JavaScript turns `1.0` into `1`, rounds integers above 2^53 and reorders integer-like keys.
 */
export type JsonText = string;

/** A tool as offered to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  /** The definition's own JSON text, where the source had one; a chat template prints this. */
  readonly source?: JsonText;
}

export const toolDefinitionSchema = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  source: z.string().optional(),
});
