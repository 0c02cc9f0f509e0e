import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

export const seedOss = defineReasoning({
  name: 'seed_oss',
  aliases: ['seed'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/ByteDance-Seed-OSS.jinja',
  models: ['Seed-OSS'],
  open: special('<seed:think>'),
  close: special('</seed:think>'),
  padding: ['', '', ''],
});
