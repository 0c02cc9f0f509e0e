import { z } from 'zod';

/** What was wrong with a record, a call or an output; the codes are open, since readers are plugins. */
export interface Diagnostic {
  readonly severity: 'info' | 'warning' | 'error';
  /** Kebab-case, for machines: `glued-records`, `truncated-tail`, `missing-parent`, … */
  readonly code: string;
  /** What was expected and what was found. */
  readonly message: string;
  readonly file?: string;
  /** Ordinal of the line, from 0. */
  readonly line?: number;
  /** Offset of the first affected byte in the file. */
  readonly byteOffset?: number;
  readonly callId?: string;
}

export const diagnosticSchema = z.object({
  severity: z.enum(['info', 'warning', 'error']),
  code: z.string().min(1),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().nonnegative().optional(),
  byteOffset: z.int().nonnegative().optional(),
  callId: z.string().optional(),
});
