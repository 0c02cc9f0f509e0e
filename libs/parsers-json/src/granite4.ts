import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const granite4 = defineFormat({
  name: 'granite4',
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/ibm-granite-granite-4.0.jinja',
  models: ['Granite 4'],
  block: { open: special('<tool_call>'), close: special('</tool_call>') },
  call: frame`${jsonCall()}`,
});
