import { defineReasoning } from '@turnwright/contracts';

export const none = defineReasoning({
  name: 'none',
  aliases: ['passthrough'],
  source: 'https://github.com/vllm-project/vllm (no --reasoning-parser)',
  models: ['models without thoughts'],
  open: [],
  close: [],
});
