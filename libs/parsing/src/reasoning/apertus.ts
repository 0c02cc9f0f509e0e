import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

export const apertus = defineReasoning({
  name: 'apertus',
  aliases: ['apertus2509'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/Apertus-8B-Instruct.jinja',
  models: ['Apertus'],
  open: special('<|inner_prefix|>'),
  close: special('<|inner_suffix|>'),
});
