import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const llama3Json = defineFormat({
  name: 'llama3_json',
  aliases: ['llama3', 'llama'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/meta-llama-Llama-3.1-8B-Instruct.jinja',
  models: ['Llama 3.1', 'Llama 3.2', 'Llama 3.3'],
  block: { open: special('<|python_tag|>'), padding: ['', ''], calls: 'many', separator: '; ' },
  call: frame`${jsonCall({ arguments: ['parameters', 'arguments'] })}`,
  bare: 'whole-answer',
});
