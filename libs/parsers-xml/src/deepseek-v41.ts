import { defineFormat, frame, key, name, pairs, special, type, value } from '@turnwright/parsing';

const parameters = pairs(frame`<｜DSML｜ parameter name="${key}" string="${type}">${value}</｜DSML｜ parameter>`, { types: 'flag' });

export const deepseekV41 = defineFormat({
  name: 'deepseek_v41',
  aliases: ['deepseekv41'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser deepseekv41)',
  models: ['DeepSeek-V4.1'],
  reasoning: 'deepseek_v4',
  block: { open: special('<｜DSML｜ calls>'), close: special('</｜DSML｜ calls>'), calls: 'many' },
  call: frame`<｜DSML｜ invoke name="${name}">\n${parameters}\n</｜DSML｜ invoke>`,
});
