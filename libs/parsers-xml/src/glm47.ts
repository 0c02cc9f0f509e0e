import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`, { separator: '', undeclared: 'json' });

export const glm47 = defineFormat({
  name: 'glm47',
  aliases: ['ling3', 'poolside_v1', 'glm47_moe'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/GLM-4.7-Flash.jinja',
  models: ['GLM-4.7', 'GLM-5', 'Ling 3', 'Laguna'],
  reasoning: 'glm45',
  block: { open: special('<tool_call>'), close: special('</tool_call>'), padding: ['', ''] },
  call: frame`${name}${parameters}`,
});
