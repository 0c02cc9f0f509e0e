import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const nemotronDeci = defineFormat({
  name: 'nemotron_deci',
  aliases: ['nemotron_nano_v2'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/NVIDIA-Nemotron-Nano-v2.jinja',
  models: ['Nemotron Nano v2', 'Llama-Nemotron'],
  block: { open: special('<TOOLCALL>'), close: special('</TOOLCALL>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
  bare: 'whole-answer',
});
