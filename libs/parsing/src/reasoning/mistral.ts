import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

export const mistral = defineReasoning({
  name: 'mistral',
  aliases: ['magistral'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/mistralai-Ministral-3-14B-Reasoning-2512.jinja',
  models: ['Magistral', 'Ministral 3'],
  open: special('[THINK]'),
  close: special('[/THINK]'),
});
