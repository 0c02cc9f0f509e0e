import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'line', separator: '' });

export const mimo = defineFormat({
  name: 'mimo',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser mimo)',
  models: ['MiMo'],
  reasoning: 'mimo',
  block: { open: special('<tool_call>'), close: special('</tool_call>'), padding: ['', ''] },
  call: frame`<function=${name}>${parameters}</function>`,
  bare: 'declared',
});
