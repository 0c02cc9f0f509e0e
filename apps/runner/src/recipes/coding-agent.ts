import { AgentError, defineRecipe } from '@turnwright/contracts';
import { z } from 'zod';
import { asSampled } from './as-sampled.js';
import { templateVariables, thinkingVariables } from './template-variables.js';
import { runPipeline } from './session-pipeline.js';
import { rewardOption, rewardSource } from './reward-source.js';

const KINDS = ['reasoning', 'text', 'call'] as const;

const options = z.strictObject({
  policy: z.string().default('lossless').describe('merge policy: how calls are joined into rows'),
  thinking: z.enum(['auto', 'on', 'off']).default('auto').describe('whether the requests had thinking turned on; auto: they had if a reply of the session holds reasoning, else as the chat template has it'),
  chat_template_kwargs: templateVariables.default({}).describe('further variables of the chat template, as JSON: {"reasoning_effort": "high"}'),
  loss: z.preprocess((value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value), z.array(z.enum(KINDS)).min(1)).default([...KINDS]).describe('what gets loss: any of reasoning, text, call'),
  prompts: z.enum(['any', 'complete']).default('any').describe('complete: no loss on calls whose prompt misses messages'),
  agents: z.enum(['all', 'main']).default('all').describe('main: no loss on subagents'),
  history: z.enum(['as-sent', 'as-sampled']).default('as-sent').describe('earlier replies as the harness sent them back, or as they were sampled (fewer rows)'),
  reward: rewardOption.optional().describe('a number for every session, or a JSON-lines file of {session_id, reward, group_id?}'),
  control_text: z.enum(['text', 'structure']).default('text').describe('structure: control tokens typed inside messages become control tokens, as on most servers'),
});

/** Any recorded coding session: every reply is trained, and everything else is its context. */
export const codingAgent = defineRecipe({
  name: 'coding-agent',
  description: 'Recorded coding-agent sessions: trains every sampled reply on the prompt that it saw.',
  options,
  build(chosen, services) {
    if (chosen.thinking === 'off' && chosen.loss.every((kind) => kind === 'reasoning')) {
      throw new AgentError('conflicting-options', 'Options contradict each other: thinking=off leaves no reasoning, and loss=reasoning trains nothing else. Drop one of them.', { fields: { thinking: chosen.thinking, loss: chosen.loss } });
    }
    services.mergePolicy(chosen.policy);
    const reward = rewardSource(chosen.reward);
    return {
      session: (session) => runPipeline(chosen.history === 'as-sampled' ? asSampled(session) : session, services, {
        policy: chosen.policy,
        controlText: chosen.control_text,
        variables: { ...thinkingVariables(chosen.thinking, session), ...chosen.chat_template_kwargs },
        trainsCall: (call) => (chosen.prompts === 'complete' && call.prompt.status === 'unknown-prefix' ? 'prompt-incomplete' : chosen.agents === 'main' && call.agent !== undefined ? 'subagent' : true),
        trainsKind: (kind) => kind === 'end-of-turn' || kind === 'template' || chosen.loss.includes(kind),
        reward,
      }),
    };
  },
});
