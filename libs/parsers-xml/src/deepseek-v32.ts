import { defineFormat, frame, key, name, pairs, special, type, value } from '@turnwright/parsing';

const parameters = pairs(frame`<｜DSML｜parameter name="${key}" string="${type}">${value}</｜DSML｜parameter>`, { types: 'flag' });

export const deepseekV32 = defineFormat({
  name: 'deepseek_v32',
  aliases: ['deepseekv32', 'deepseek32'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/deepseek-ai-DeepSeek-V3.2.jinja',
  models: ['DeepSeek-V3.2'],
  reasoning: 'deepseek_v3',
  block: { open: special('<｜DSML｜function_calls>'), close: special('</｜DSML｜function_calls>'), calls: 'many' },
  call: frame`<｜DSML｜invoke name="${name}">\n${parameters}\n</｜DSML｜invoke>`,
});
