import { defineFormat, frame, gemmaArguments, jsonArguments, name, special } from '@turnwright/parsing';

export const gemma4 = defineFormat({
  name: 'gemma4',
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/google-gemma-4-31B-it.jinja',
  models: ['Gemma 4'],
  reasoning: 'gemma4',
  block: { open: [special('<|tool_call>'), special('<|tool_call|>')], close: special('<tool_call|>'), padding: ['', ''], separator: '' },
  call: frame`call:${name}${gemmaArguments('<|"|>')}`,
  variants: [frame`call:${name}(${jsonArguments})`],
});
