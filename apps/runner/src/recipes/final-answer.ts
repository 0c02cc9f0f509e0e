import { defineRecipe } from '@turnwright/contracts';
import { z } from 'zod';
import { runPipeline } from './session-pipeline.js';

/** Only each agent's last reply, when it is an answer in words: what the user reads in the end. */
export const finalAnswer = defineRecipe({
  name: 'final-answer',
  description: 'Trains only the last reply of each agent, if it answers in words; the work before it is context.',
  options: z.strictObject({ policy: z.string().default('lossless').describe('merge policy: how calls are joined into rows') }),
  build: ({ policy }, services) => ({
    session(session) {
      const continued = new Set(session.calls.map(({ parentId }) => parentId));
      return runPipeline(session, services, {
        policy,
        trainsCall: (call) => (continued.has(call.id) ? 'not-the-last-reply' : call.sampled.some(({ kind }) => kind === 'tool-call') ? 'not-an-answer' : true),
      });
    },
  }),
});
