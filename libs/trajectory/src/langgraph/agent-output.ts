import { AgentError } from '@turnwright/contracts';
import { agentLoopOutput, type VerlOutput } from '../verl/agent-loop-output.js';
import { fieldsOf, numbersOf, type Fields } from '../request-fields.js';

/** A LangChain message, as far as a trajectory needs it. */
export interface LanggraphMessage {
  /** `system`, `human`, `ai`, `tool` */
  readonly type: string;
  /** Of an `ai` message: `prompt_ids`, everything up to and with the message, and `response_mask` over its end. */
  readonly responseMetadata?: Readonly<Record<string, unknown>>;
}

/** An output, and why it is a fallback when it is one. */
export interface LanggraphOutput {
  readonly output: VerlOutput;
  readonly aborted?: string;
}

/**
 * A finished graph's messages as an output: tool messages at the end are skipped, and the last message says the ids and the mask.
 *
 * What cannot be read becomes a fallback of one token. verl's carries mask 1 and so trains a token that nobody sampled and counts in its
 * group's mean; this one carries mask 0, says `aborted` in its extra fields, and belongs under the status `aborted`, which
 * `groupAdvantages` leaves out. A mask without entries is a response without tokens, where verl's slice takes the whole prompt.
 * source verl-recipe 48ea0a797fa2 langgraph convert_to_agent_output
 */
export function langgraphOutput(messages: readonly LanggraphMessage[], options: { readonly responseLength?: number } = {}): LanggraphOutput {
  try {
    return { output: convert(messages, options.responseLength ?? Infinity) };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return fallback(error.message);
  }
}

function convert(messages: readonly LanggraphMessage[], responseLength: number): VerlOutput {
  const last = messages.findLast(({ type }) => type !== 'tool');
  if (last?.type !== 'ai') throw new AgentError('bad-contract', `The last message is ${last === undefined ? 'missing' : `of type "${last.type}"`}; expected "ai".`);
  const metadata: Fields = fieldsOf(last.responseMetadata, 'response_metadata');
  const [ids, mask] = [numbersOf(metadata, 'prompt_ids'), numbersOf(metadata, 'response_mask')];
  if (mask.length > ids.length) throw new AgentError('length-mismatch', `The response mask has ${String(mask.length)} entries; expected at most ${String(ids.length)}, one for each id.`);
  const wrong = mask.find((bit) => bit !== 0 && bit !== 1);
  if (wrong !== undefined) throw new AgentError('bad-contract', `The response mask holds ${String(wrong)}; expected 0 or 1.`);
  const promptLength = ids.length - mask.length;
  return agentLoopOutput({
    promptIds: ids.slice(0, promptLength),
    responseIds: ids.slice(promptLength).slice(0, responseLength),
    responseMask: mask.slice(0, responseLength),
    numTurns: countTurns(messages),
    metrics: {},
  });
}

/** Runs of one type; parallel tool replies are one turn, and system messages none. */
function countTurns(messages: readonly LanggraphMessage[]): number {
  return messages.filter(({ type }, i) => type !== 'system' && type !== messages[i - 1]?.type).length;
}

function fallback(reason: string): LanggraphOutput {
  const output = agentLoopOutput({ promptIds: [0], responseIds: [0], responseMask: [0], numTurns: 1, metrics: {}, extraFields: { aborted: true, abort_reason: reason } });
  return { output, aborted: reason };
}
