import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const ernie45 = defineFormat({
  name: 'ernie45',
  aliases: ['ernie_45'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser ernie45)',
  models: ['ERNIE 4.5'],
  reasoning: 'ernie45',
  block: { open: special('<tool_call>'), close: special('</tool_call>'), separator: '\n\n' },
  call: frame`${jsonCall()}`,
});
