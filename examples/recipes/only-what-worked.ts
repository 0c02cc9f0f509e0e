import { definePlugin, defineRecipe, promptMessages, type ModelCall, type Session } from '@turnwright/contracts';
import { runPipeline } from 'turnwright';
import { z } from 'zod';

/** A recipe of one's own: no loss on replies one of whose tool calls failed, so that the model does not learn the failing command. */
const onlyWhatWorked = defineRecipe({
  name: 'only-what-worked',
  description: 'Trains every reply but those whose tool calls failed.',
  options: z.strictObject({ policy: z.string().default('lossless').describe('merge policy: how calls are joined into rows') }),
  build: ({ policy }, services) => ({
    session(session) {
      const failed = failedCalls(session);
      return runPipeline(session, services, {
        policy,
        trainsCall: (call: ModelCall) => (call.sampled.some((part) => part.kind === 'tool-call' && failed.has(part.id)) ? 'failed-tool-call' : true),
      });
    },
  }),
});

/** Ids of tool calls whose result, as some later prompt shows it, was an error. */
function failedCalls(session: Session): ReadonlySet<string | undefined> {
  const results = session.calls.flatMap(({ prompt }) => promptMessages(prompt.head).flatMap(({ parts }) => parts));
  return new Set(results.flatMap((part) => (part.kind === 'tool-result' && part.failed === true ? [part.toolCallId] : [])));
}

export default definePlugin({ apiVersion: 1, name: 'only-what-worked', recipes: [onlyWhatWorked] });
