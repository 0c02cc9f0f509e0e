import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter name="${key}">${value}</parameter>`);

export const dots = defineFormat({
  name: 'dots',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser dots)',
  models: ['dots'],
  reasoning: 'dots',
  block: { open: special('<dots_function_call>'), close: special('</dots_function_call>'), calls: 'many' },
  call: frame`<invoke name="${name}">\n${parameters}\n</invoke>`,
});
