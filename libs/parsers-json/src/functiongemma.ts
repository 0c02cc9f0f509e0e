import { defineFormat, frame, gemmaArguments, name, special } from '@turnwright/parsing';

export const functiongemma = defineFormat({
  name: 'functiongemma',
  aliases: ['function_gemma'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser functiongemma)',
  models: ['FunctionGemma 270M'],
  block: { open: special('<start_function_call>'), close: special('<end_function_call>'), padding: ['', ''], separator: '' },
  call: frame`call:${name}${gemmaArguments('<escape>')}`,
});
