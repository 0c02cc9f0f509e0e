import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

/** The thought of DeepSeek R1, Qwen3 and most who followed. */
export const think = defineReasoning({
  name: 'think',
  aliases: ['qwen3', 'qwen3_thinking', 'deepseek_r1', 'deepseek_v3', 'step3p5', 'glm45', 'nemotron_v3', 'nemotron_3', 'basic'],
  source: 'https://huggingface.co/Qwen/Qwen3-8B/blob/b968826d9c46dd6066d109eabc6255188de91218/tokenizer_config.json chat_template',
  models: ['Qwen3', 'DeepSeek-R1', 'Step-3.5'],
  open: special('<think>'),
  close: special('</think>'),
  padding: ['\n', '\n', '\n\n'],
});
