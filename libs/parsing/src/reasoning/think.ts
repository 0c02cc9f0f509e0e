import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

/** The thought of DeepSeek R1, Qwen3 and most who followed. Whether it starts inside the span is said by the prompt, not by the name. */
export const think = defineReasoning({
  name: 'think',
  aliases: ['qwen3', 'qwen3_thinking', 'deepseek_r1', 'deepseek_v3', 'deepseek_v31', 'deepseek_v3_1', 'deepseek_v3_2', 'deepseek_v4', 'deepseek_v41', 'step3', 'step3p5', 'glm45', 'glm47', 'ling3', 'poolside_v1', 'nemotron_v3', 'nemotron_3', 'nemotron3', 'nemotron_nano', 'nemotron_deci', 'nano_v3', 'kimi_k2', 'kimi_k25', 'kimi_thinking', 'minimax', 'minimax_m2', 'mimo', 'hy_v3', 'hunyuan', 'holo2', 'olmo3', 'dots', 'interns1', 'basic', 'base', 'longcat', 'plamo3', 'iquest_q1', 'granite_thinking'],
  source: 'https://github.com/huggingface/trl/blob/f2cd57710ae345ea6428ae95363267fcf38a3dc8/trl/chat_templates/qwen3.jinja',
  models: ['Qwen3', 'DeepSeek-R1', 'GLM-4.5', 'Kimi K2 Thinking', 'MiniMax M2', 'Nemotron 3', 'Step-3.5'],
  open: special('<think>'),
  close: special('</think>'),
  padding: ['\n', '\n', '\n\n'],
});
