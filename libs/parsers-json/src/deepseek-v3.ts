import { defineFormat, frame, jsonArguments, name, special } from '@turnwright/parsing';

export const deepseekV3 = defineFormat({
  name: 'deepseek_v3',
  aliases: ['deepseekv3', 'deepseek'],
  source: 'https://github.com/huggingface/trl/blob/f2cd57710ae345ea6428ae95363267fcf38a3dc8/trl/chat_templates/deepseekv3.jinja',
  models: ['DeepSeek-V3', 'DeepSeek-R1-0528'],
  reasoning: 'deepseek_v3',
  block: { open: special('<｜tool▁calls▁begin｜>'), close: special('<｜tool▁calls▁end｜>'), padding: ['', ''], calls: 'many', separator: '\n' },
  call: frame`${special('<｜tool▁call▁begin｜>')}function${special('<｜tool▁sep｜>')}${name}\n\`\`\`json\n${jsonArguments}\n\`\`\`${special('<｜tool▁call▁end｜>')}`,
  variants: [frame`${special('<｜tool▁call▁begin｜>')}${name}${special('<｜tool▁sep｜>')}${jsonArguments}${special('<｜tool▁call▁end｜>')}`],
  wrappers: [frame`${special('<｜end▁of▁sentence｜>')}`],
});
