import { defineFormat, frame, jsonNamedCall, special } from '@turnwright/parsing';

export const apertus = defineFormat({
  name: 'apertus',
  aliases: ['apertus2509'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/Apertus-8B-Instruct.jinja',
  models: ['Apertus'],
  reasoning: 'apertus',
  block: { open: special('<|tools_prefix|>'), close: special('<|tools_suffix|>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonNamedCall}`,
});
