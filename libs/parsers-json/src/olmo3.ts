import { defineFormat, frame, name, pythonArguments, special } from '@turnwright/parsing';

export const olmo3 = defineFormat({
  name: 'olmo3',
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser olmo3)',
  models: ['OLMo 3'],
  block: { open: special('<function_calls>'), close: special('</function_calls>'), padding: ['', ''], calls: 'many', separator: '\n' },
  call: frame`${name}(${pythonArguments}`,
});
