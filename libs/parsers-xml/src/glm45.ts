import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`, { separator: '\n', undeclared: 'json' });

export const glm45 = defineFormat({
  name: 'glm45',
  aliases: ['glm', 'glm45_moe', 'glm4_moe'],
  source: 'https://github.com/huggingface/trl/blob/f2cd57710ae345ea6428ae95363267fcf38a3dc8/trl/chat_templates/glm4moe.jinja',
  models: ['GLM-4.5', 'GLM-4.6'],
  reasoning: 'glm45',
  block: { open: special('<tool_call>'), close: special('</tool_call>'), padding: ['', '\n'] },
  call: frame`${name}\n${parameters}`,
});
