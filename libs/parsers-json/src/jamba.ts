import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const jamba = defineFormat({
  name: 'jamba',
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser jamba)',
  models: ['Jamba 1.5'],
  block: { open: special('<tool_calls>'), close: special('</tool_calls>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
});
