import { AgentError, agentLoopMetricsSchema, type AgentLoopOutput } from '@turnwright/contracts';
import type { Tensor } from './tensor.js';

type Metrics = Partial<AgentLoopOutput['metrics']>;

/** What verl's constructor takes. Fields left out have defaults, and verl's dictionary tells a default from a given value. */
export interface AgentLoopFields {
  readonly promptIds: readonly number[];
  readonly responseIds: readonly number[];
  readonly responseMask: readonly number[];
  readonly responseLogprobs?: readonly number[];
  readonly routedExperts?: Tensor;
  readonly multiModalData?: Readonly<Record<string, unknown>>;
  readonly mmProcessorKwargs?: Readonly<Record<string, unknown>>;
  readonly rewardScore?: number;
  readonly numTurns?: number;
  readonly metrics?: Metrics;
  readonly extraFields?: Readonly<Record<string, unknown>>;
}

/** An AgentLoopOutput that remembers which fields were given. */
export interface VerlOutput extends AgentLoopOutput {
  readonly routedExperts?: Tensor;
  readonly mmProcessorKwargs?: Readonly<Record<string, unknown>>;
  readonly given: { readonly numTurns: boolean; readonly metrics: Metrics };
}

/**
 * Fills the defaults in. `extraFields` is a new object, which a loop may fill later.
 *
 * throws AgentError `bad-contract` for an id or mask value that is no integer, or extra fields that are no map
 * source verl 1dda039b9c63 AgentLoopOutput
 */
export function agentLoopOutput(fields: AgentLoopFields): VerlOutput {
  for (const name of ['promptIds', 'responseIds', 'responseMask'] as const) requireIntegers(name, fields[name]);
  const extraFields: unknown = fields.extraFields === undefined ? {} : fields.extraFields;
  requireMap(extraFields);
  const metrics = fields.metrics ?? {};
  return {
    ...fields,
    numTurns: fields.numTurns ?? 0,
    metrics: agentLoopMetricsSchema.parse(metrics),
    extraFields: { ...extraFields },
    given: { numTurns: fields.numTurns !== undefined, metrics },
  };
}

/** throws AgentError `length-mismatch` where verl would take a mask or log-probs that are not parallel to the response */
export function requireParallel(output: AgentLoopOutput): void {
  const expected = output.responseIds.length;
  for (const name of ['responseMask', 'responseLogprobs'] as const) {
    const found = output[name]?.length;
    // An engine that was asked for no log-probs answers an empty list.
    if (found === undefined || found === expected || (name === 'responseLogprobs' && found === 0)) continue;
    throw new AgentError('length-mismatch', `AgentLoopOutput: ${name} has ${String(found)} entries; expected ${String(expected)}, one for each response token.`, { fields: { name, found, expected } });
  }
}

/** throws AgentError `bad-contract` */
export function requireMap(extraFields: unknown): asserts extraFields is Readonly<Record<string, unknown>> {
  if (typeof extraFields !== 'object' || extraFields === null || Array.isArray(extraFields)) {
    throw new AgentError('bad-contract', `AgentLoopOutput: extraFields is ${String(extraFields)}; expected a map.`);
  }
}

function requireIntegers(name: string, values: readonly number[]): void {
  const index = values.findIndex((value) => !Number.isInteger(value));
  if (index >= 0) throw new AgentError('bad-contract', `AgentLoopOutput: ${name} ${String(index)} is ${String(values[index])}; expected an integer.`, { fields: { name, index } });
}
