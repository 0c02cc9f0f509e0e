import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'line' });

export const seedOss = defineFormat({
  name: 'seed_oss',
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/ByteDance-Seed-OSS.jinja',
  models: ['Seed-OSS'],
  reasoning: 'seed_oss',
  block: { open: special('<seed:tool_call>'), close: special('</seed:tool_call>') },
  call: frame`<function=${name}>\n${parameters}\n</function>`,
  bare: 'declared',
});
