import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const longcat = defineFormat({
  name: 'longcat',
  aliases: ['longcat_flash'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser longcat)',
  models: ['LongCat Flash'],
  block: { open: special('<longcat_tool_call>'), close: special('</longcat_tool_call>') },
  call: frame`${jsonCall()}`,
});
