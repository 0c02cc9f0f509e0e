import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const hunyuanA13b = defineFormat({
  name: 'hunyuan_a13b',
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser hunyuan_a13b)',
  models: ['Hunyuan A13B'],
  reasoning: 'hunyuan_a13b',
  block: { open: special('<tool_calls>'), close: special('</tool_calls>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
});
