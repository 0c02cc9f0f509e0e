/**
 * A chat request that makes an engine give ids and log-probs back, whatever the client asked for.
 *
 * An explicit `top_logprobs: null` makes some engines give none at all (NeMo Gym #1612), so it is pinned to a number.
 */
export function captureRequest(request: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...request, logprobs: true, top_logprobs: typeof request['top_logprobs'] === 'number' ? request['top_logprobs'] : 0, return_token_ids: true };
}
