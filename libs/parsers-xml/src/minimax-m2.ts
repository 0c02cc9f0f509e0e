import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter name="${key}">${value}</parameter>`);

export const minimaxM2 = defineFormat({
  name: 'minimax_m2',
  aliases: ['minimax'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/MiniMax-M2.jinja',
  models: ['MiniMax M2', 'MiniMax M2.5'],
  reasoning: 'minimax_m2',
  block: { open: special('<minimax:tool_call>'), close: special('</minimax:tool_call>'), calls: 'many' },
  call: frame`<invoke name="${name}">\n${parameters}\n</invoke>`,
});
