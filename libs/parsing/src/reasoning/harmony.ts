import { defineReasoning } from '@turnwright/contracts';
import { any, frame, special } from '../frames/frame.js';

export const harmony = defineReasoning({
  name: 'harmony',
  aliases: ['gpt_oss', 'openai_gptoss', 'openai', 'gptoss'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/openai-gpt-oss-120b.jinja',
  models: ['gpt-oss'],
  open: [special('<|channel|>analysis<|message|>'), special('<|start|>assistant<|channel|>analysis<|message|>')],
  close: [special('<|end|>')],
  padding: ['', '', '<|start|>assistant'],
  wrappers: [frame`${special('<|start|>')}assistant`, frame`${special('<|channel|>')}final${special('<|message|>')}`, frame`${special('<|channel|>')}commentary${special('<|message|>')}`, frame`${special('<|channel|>')}${any()}${special('<|message|>')}`, frame`${special('<|end|>')}`, frame`${special('<|return|>')}`],
});
