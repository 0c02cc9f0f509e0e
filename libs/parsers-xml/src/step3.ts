import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<steptml:parameter name="${key}">${value}</steptml:parameter>`, { separator: '' });

export const step3 = defineFormat({
  name: 'step3',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser step3)',
  models: ['Step-3'],
  reasoning: 'step3',
  block: { open: special('<｜tool_calls_begin｜>'), close: special('<｜tool_calls_end｜>'), calls: 'many' },
  call: frame`${special('<｜tool_call_begin｜>')}function${special('<｜tool_sep｜>')}<steptml:invoke name="${name}">${parameters}</steptml:invoke>\n${special('<｜tool_call_end｜>')}`,
});
