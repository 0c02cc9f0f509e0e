import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`, { undeclared: 'json' });

export const hyV3 = defineFormat({
  name: 'hy_v3',
  aliases: ['hunyuan', 'hy3'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/tencent-Hy3.jinja',
  models: ['Tencent Hy3'],
  reasoning: 'hy_v3',
  block: { open: special('<tool_calls>'), close: special('</tool_calls>'), calls: 'many' },
  call: frame`${special('<tool_call>')}${name}${special('<tool_sep>')}\n${parameters}\n${special('</tool_call>')}`,
});
