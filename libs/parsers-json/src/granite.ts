import { defineFormat, frame, jsonCall, plain, special } from '@turnwright/parsing';

export const granite = defineFormat({
  name: 'granite',
  aliases: ['granite3'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/ibm-granite-granite-3.3-2B-Instruct.jinja',
  models: ['Granite 3.x'],
  reasoning: 'granite',
  block: { open: [special('<|tool_call|>'), plain('<tool_call>')], padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
});
