import { existsSync, readFileSync } from 'node:fs';
import { AgentError, toolDefinitionSchema } from '@turnwright/contracts';
import { parse } from 'yaml';
import { z } from 'zod';

const itemSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ reasoning: z.string() }),
  z.strictObject({ call: z.string(), arguments: z.string().default('{}'), status: z.enum(['ok', 'repaired']).default('ok') }),
]);

const attemptSchema = z.strictObject({ name: z.string(), status: z.enum(['ok', 'repaired', 'incomplete', 'malformed']), notes: z.array(z.string()).optional() });

const caseSchema = z.strictObject({
  name: z.string().min(1),
  /** What the model wrote. */
  output: z.string(),
  /** Exactly what is read, in order; arguments are compared as text. */
  items: z.array(itemSchema),
  /** Every attempt, when one of them is not callable or its notes matter. */
  attempts: z.array(attemptSchema).optional(),
  end: z.enum(['stop', 'length']).default('stop'),
  promptOpensReasoning: z.boolean().default(false),
  thinking: z.boolean().optional(),
  callsInReasoning: z.enum(['auto', 'always', 'never']).default('auto'),
  strict: z.boolean().default(false),
  /** Where the case comes from: a report, a template, a rule. */
  because: z.string().optional(),
});

const fileSchema = z.strictObject({ tools: z.array(toolDefinitionSchema).default([]), cases: z.array(caseSchema).min(1) });

export type FormatCase = z.output<typeof caseSchema>;
export type CaseFile = z.output<typeof fileSchema>;

/** What every tool format has to show; the names are claims that a reader can look up in each format's file. */
export const MANDATORY_CASES = ['none', 'one', 'two of the same tool', 'empty arguments', 'text around', 'truncated', 'malformed then good', 'hostile strings', 'unknown tool', 'reasoning then call'] as const;

/** Reads `NAME.cases.yaml` beside a format. throws AgentError `missing-data`, `bad-contract` naming the file and field */
export function readCases(url: URL): CaseFile {
  if (!existsSync(url)) throw new AgentError('missing-data', `Cases ${url.pathname}: expected a file of cases beside the format, found none.`);
  const parsed = fileSchema.safeParse(parse(readFileSync(url, 'utf8')));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AgentError('bad-contract', `Cases ${url.pathname}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}.`);
}
