import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

export const gemma4 = defineReasoning({
  name: 'gemma4',
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/google-gemma-4-31B-it.jinja',
  models: ['Gemma 4'],
  open: [special('<|channel>thought\n'), special('<|channel>')],
  close: special('<channel|>'),
});
