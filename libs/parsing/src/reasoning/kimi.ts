import { defineReasoning } from '@turnwright/contracts';
import { special } from '../frames/frame.js';

export const kimi = defineReasoning({
  name: 'kimi',
  aliases: ['kimi_vl'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (reasoning parser kimi)',
  models: ['Kimi-VL Thinking'],
  open: special('◁think▷'),
  close: special('◁/think▷'),
});
