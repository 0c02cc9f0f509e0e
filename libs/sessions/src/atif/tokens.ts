import type { RecordedTokens } from '@turnwright/contracts';
import type { JsonObject } from '../json-lines/records.js';

/** What was recorded of a step's tokens; log-probs that are not parallel to the ids are named and left out. */
export function recordedTokens(metrics: JsonObject): { readonly tokens?: RecordedTokens; readonly fault?: string } {
  const outputIds = idsOf(metrics['completion_token_ids']);
  if (outputIds === undefined) return metrics['completion_token_ids'] === undefined || metrics['completion_token_ids'] === null ? {} : { fault: 'completion_token_ids: expected a list of token ids' };
  if (outputIds.length === 0) return {};
  const promptIds = idsOf(metrics['prompt_token_ids']);
  const stored = metrics['logprobs'];
  const logprobs = Array.isArray(stored) ? (stored as readonly unknown[]).filter((value) => typeof value === 'number') : undefined;
  const parallel = logprobs !== undefined && logprobs.length === outputIds.length;
  return {
    tokens: { ...(promptIds === undefined || promptIds.length === 0 ? {} : { promptIds }), outputIds, ...(parallel ? { outputLogprobs: logprobs } : {}) },
    ...(stored !== undefined && stored !== null && !parallel ? { fault: `logprobs: expected ${outputIds.length} numbers, found ${logprobs?.length ?? 'no list'}` } : {}),
  };
}

function idsOf(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = (value as readonly unknown[]).filter((id): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0);
  return ids.length === value.length ? ids : undefined;
}
