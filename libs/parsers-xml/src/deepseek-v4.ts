import { defineFormat, frame, key, name, pairs, special, type, value } from '@turnwright/parsing';

const parameters = pairs(frame`<｜DSML｜parameter name="${key}" string="${type}">${value}</｜DSML｜parameter>`, { types: 'flag' });

export const deepseekV4 = defineFormat({
  name: 'deepseek_v4',
  aliases: ['deepseekv4'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser deepseek_v4)',
  models: ['DeepSeek-V4'],
  reasoning: 'deepseek_v4',
  block: { open: special('<｜DSML｜tool_calls>'), close: special('</｜DSML｜tool_calls>'), calls: 'many' },
  call: frame`<｜DSML｜invoke name="${name}">\n${parameters}\n</｜DSML｜invoke>`,
});
