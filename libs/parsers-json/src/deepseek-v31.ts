import { defineFormat, frame, jsonArguments, name, special } from '@turnwright/parsing';

export const deepseekV31 = defineFormat({
  name: 'deepseek_v31',
  aliases: ['deepseekv31', 'deepseek_v3_1', 'deepseek31'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/deepseek-ai-DeepSeek-V3.1.jinja',
  models: ['DeepSeek-V3.1', 'DeepSeek-V3.2-Exp'],
  reasoning: 'deepseek_v3',
  block: { open: special('<｜tool▁calls▁begin｜>'), close: special('<｜tool▁calls▁end｜>'), padding: ['', ''], calls: 'many', separator: '' },
  call: frame`${special('<｜tool▁call▁begin｜>')}${name}${special('<｜tool▁sep｜>')}${jsonArguments}${special('<｜tool▁call▁end｜>')}`,
  variants: [frame`${special('<｜tool▁call▁begin｜>')}function${special('<｜tool▁sep｜>')}${name}\n\`\`\`json\n${jsonArguments}\n\`\`\`${special('<｜tool▁call▁end｜>')}`],
  wrappers: [frame`${special('<｜end▁of▁sentence｜>')}`],
});
