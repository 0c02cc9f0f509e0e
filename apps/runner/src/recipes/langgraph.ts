import { defineRecipe, type ModelCall, type TokenExclusion, type TokenSpan } from '@turnwright/contracts';
import { assembleSamples, createTurnRecorder, ledgerEntry } from '@turnwright/trajectory';
import { z } from 'zod';
import { rewardSource } from './reward-source.js';

const options = z.strictObject({
  policy: z.string().default('lossless').describe('merge policy: how calls are joined into rows'),
  reward: z.union([z.coerce.number(), z.string()]).optional().describe('a number for every session, or a JSON-lines file of {session_id, reward, group_id?}'),
});

/** Runs of a LangGraph agent with recorded ids: what the model sampled is trained, a run that broke off is not and counts in no group. */
export const langgraph = defineRecipe({
  name: 'langgraph',
  description: 'LangGraph runs with ids and masks in their metadata, as verl records them; aborted runs carry no loss.',
  options,
  build(chosen, services) {
    const policy = services.mergePolicy(chosen.policy);
    const reward = rewardSource(chosen.reward);
    return {
      session(session) {
        const recorder = createTurnRecorder();
        const turns = session.calls.flatMap((call) => (call.tokens === undefined ? [] : [recorder.record(turnOf(call, call.tokens))]));
        const mergeResult = policy.merge(turns);
        const scored = reward(session);
        const { samples, sampleIds } = assembleSamples({ sessionId: session.id, rolloutId: session.id, groupId: scored.groupId ?? session.id, mergeResult, reward: scored.reward, metadata: { reader: session.reader, files: session.files } });
        const ledger = session.calls.map((call) => {
          const index = turns.findIndex(({ id }) => id === call.id);
          const [turn, outcome] = [turns[index], mergeResult.outcomes[index]];
          const fate = turn === undefined || outcome === undefined ? { refused: call.lossReason ?? 'no-recorded-tokens', sampledTokens: 0 } : { turn, outcome };
          return ledgerEntry({ sessionId: session.id, call, promptTokens: call.tokens?.promptIds?.length ?? 0, fate, sampleIds: (outcome?.segmentIndices ?? []).flatMap((row) => sampleIds[row] ?? []) });
        });
        return { samples, ledger, diagnostics: [] };
      },
    };
  },
});

/** A call that may not be trained keeps its tokens as context, and the ledger says how many were sampled. */
function turnOf(call: ModelCall, tokens: NonNullable<ModelCall['tokens']>) {
  const given = tokens.outputLossMask ?? tokens.outputIds.map(() => 1);
  const sampled = given.filter((bit) => bit === 1).length;
  const exclusions: TokenExclusion[] = call.loss || sampled === 0 ? [] : [{ reason: call.lossReason ?? 'excluded-by-reader', count: sampled }];
  return {
    id: call.id,
    promptIds: tokens.promptIds ?? [],
    outputIds: tokens.outputIds,
    outputLossMask: call.loss ? given : given.map(() => 0),
    ...(tokens.outputLogprobs === undefined ? {} : { outputLogprobs: tokens.outputLogprobs }),
    finishReason: call.finishReason,
    spans: spansOf(call.id, given),
    exclusions,
  };
}

/** Runs of the mask: what the model sampled, and what stands between, which nobody sampled. */
function spansOf(callId: string, mask: readonly number[]): TokenSpan[] {
  const spans: TokenSpan[] = [];
  for (let start = 0, end = 1; start < mask.length; start = end++) {
    while (end < mask.length && mask[end] === mask[start]) end++;
    spans.push({ span: { start, end }, kind: mask[start] === 1 ? 'text' : 'template', callId });
  }
  return spans;
}
