import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const granite20bFc = defineFormat({
  name: 'granite_20b_fc',
  aliases: ['granite-20b-fc', 'granite20b'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser granite-20b-fc)',
  models: ['Granite 20B FC'],
  block: { open: special('<function_call>'), padding: [' ', ''] },
  call: frame`${jsonCall()}`,
});
