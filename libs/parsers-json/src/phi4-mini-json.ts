import { defineFormat, frame, jsonCall, plain } from '@turnwright/parsing';

export const phi4MiniJson = defineFormat({
  name: 'phi4_mini_json',
  aliases: ['phi4', 'phi_4'],
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_phi4_mini.jinja',
  models: ['Phi-4-mini'],
  block: { open: plain('functools['), padding: ['', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
});
