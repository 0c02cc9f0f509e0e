import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<atem:parameter name="${key}">${value}</atem:parameter>`, { undeclared: 'json', jsonStrings: true });

export const museGlimmer = defineFormat({
  name: 'muse_glimmer',
  aliases: ['muse'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser muse)',
  models: ['Muse Glimmer'],
  reasoning: 'muse_glimmer',
  block: { open: special('<atem:function_calls>'), close: special('</atem:function_calls>'), calls: 'many' },
  call: frame`<atem:invoke name="${name}">\n${parameters}\n</atem:invoke>`,
});
