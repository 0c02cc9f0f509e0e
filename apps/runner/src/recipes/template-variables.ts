import type { Session } from '@turnwright/contracts';
import { z } from 'zod';

/** Variables of a chat template, as a JSON object. */
export const templateVariables = z.preprocess((value, context) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    context.addIssue({ code: 'custom', message: `expected a JSON object, ${error instanceof Error ? error.message : String(error)}` });
    return z.NEVER;
  }
}, z.record(z.string(), z.unknown()));

/** The names by which chat templates know whether thinking is on: Qwen, GLM and Gemma the first, DeepSeek and Granite the second. */
export function thinkingVariables(thinking: 'auto' | 'on' | 'off', session: Session): Readonly<Record<string, boolean>> {
  if (thinking === 'auto' && !session.calls.some(({ sampled }) => sampled.some(({ kind }) => kind === 'reasoning'))) return {};
  return { enable_thinking: thinking !== 'off', thinking: thinking !== 'off' };
}
