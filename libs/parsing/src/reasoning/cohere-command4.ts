import { defineReasoning } from '@turnwright/contracts';
import { frame, special } from '../frames/frame.js';

export const cohereCommand4 = defineReasoning({
  name: 'cohere_command4',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (reasoning parser cohere_command4)',
  models: ['Command A+', 'North'],
  open: special('<|START_THINKING|>'),
  close: special('<|END_THINKING|>'),
  wrappers: [frame`${special('<|START_TEXT|>')}`, frame`${special('<|END_TEXT|>')}`, frame`${special('<|START_RESPONSE|>')}`, frame`${special('<|END_RESPONSE|>')}`],
});
