import { defineReasoning } from '@turnwright/contracts';

/** Thoughts stay in the answer, markers and all, as some clients expect. */
export const minimaxM2AppendThink = defineReasoning({
  name: 'minimax_m2_append_think',
  aliases: ['minimax_append_think', 'append_think'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (reasoning parser minimax_m2_append_think)',
  models: ['MiniMax M2'],
  open: [],
  close: [],
});
