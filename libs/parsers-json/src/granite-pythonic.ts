import { defineFormat, frame, name, pythonArguments, special } from '@turnwright/parsing';

export const granitePythonic = defineFormat({
  name: 'granite_pythonic',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser pythonic)',
  models: ['Granite (pythonic fine-tunes)'],
  block: { open: special('<function_calls>'), close: special('</function_calls>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${name}(${pythonArguments}`,
  bare: 'whole-answer',
});
