import { defineFormat, frame, key, name, pairs, value } from '@turnwright/parsing';

const parameters = pairs(frame`<param name="${key}">${value}</param>`, { separator: '', cdata: true });

export const minicpm5 = defineFormat({
  name: 'minicpm5',
  aliases: ['minicpm4'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser minicpm5)',
  models: ['MiniCPM4', 'MiniCPM5'],
  call: frame`<function name="${name}">${parameters}</function>`,
});
