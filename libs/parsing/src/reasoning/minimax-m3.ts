import { defineReasoning } from '@turnwright/contracts';
import { plain } from '../frames/frame.js';

export const minimaxM3 = defineReasoning({
  name: 'minimax_m3',
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/MiniMax-M3.jinja',
  models: ['MiniMax M3'],
  open: plain('<mm:think>'),
  close: plain('</mm:think>'),
  padding: ['', '', ''],
});
