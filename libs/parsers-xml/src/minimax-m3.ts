import { defineFormat, frame, name, nestedTags, special } from '@turnwright/parsing';

const ns = ']<]minimax[>[';

export const minimaxM3 = defineFormat({
  name: 'minimax_m3',
  aliases: ['minimax_m3_nom'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/MiniMax-M3.jinja',
  models: ['MiniMax M3'],
  reasoning: 'minimax_m3',
  block: { open: special(`${ns}<tool_call>`), close: special(`${ns}</tool_call>`), padding: ['', ''], calls: 'many', separator: '' },
  call: frame`${special(`${ns}<invoke name="`)}${name}">${nestedTags(ns)}${special(`${ns}</invoke>`)}`,
});
