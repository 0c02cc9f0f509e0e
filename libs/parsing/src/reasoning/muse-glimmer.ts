import { defineReasoning } from '@turnwright/contracts';
import { any, frame, special } from '../frames/frame.js';

export const museGlimmer = defineReasoning({
  name: 'muse_glimmer',
  aliases: ['muse'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (reasoning parser muse)',
  models: ['Muse Glimmer'],
  open: [special('<|start|>assistant to=self<|message|>'), special(' to=self<|message|>'), special('to=self<|message|>')],
  close: special('<|eom|>'),
  wrappers: [frame`${special('<|start|>')}assistant to=${any()}${special('<|message|>')}`, frame`${special('<|eom|>')}`],
});
