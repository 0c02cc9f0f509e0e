import { AgentError } from '@turnwright/contracts';

/**
 * The log-prob of each sampled id, from an engine's map of alternatives for each token; their order means nothing (trl #3867).
 *
 * shape  both parallel `[T]`
 * throws AgentError `logprobs-missing` where there are none, or not of the sampled id; `length-mismatch`
 */
export function chosenLogprobs(outputIds: readonly number[], alternatives: readonly Readonly<Record<string, number>>[] | null | undefined): Float32Array {
  if (alternatives === null || alternatives === undefined) throw new AgentError('logprobs-missing', `The engine gave no log-probs for ${String(outputIds.length)} tokens; expected one for each.`, { fields: { tokens: outputIds.length } });
  if (alternatives.length !== outputIds.length) throw new AgentError('length-mismatch', `The engine gave log-probs for ${String(alternatives.length)} tokens; expected ${String(outputIds.length)}.`, { fields: { found: alternatives.length, expected: outputIds.length } });
  return Float32Array.from(outputIds, (id, i) => {
    const value = alternatives[i]?.[String(id)];
    if (value === undefined || !Number.isFinite(value)) throw new AgentError('logprobs-missing', `The engine gave no log-prob of token ${String(i)}, which is ${String(id)}.`, { fields: { index: i, id } });
    return value;
  });
}
