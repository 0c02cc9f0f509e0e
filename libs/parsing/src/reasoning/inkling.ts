import { defineReasoning } from '@turnwright/contracts';
import { frame, special } from '../frames/frame.js';

export const inkling = defineReasoning({
  name: 'inkling',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (reasoning parser inkling)',
  models: ['TML Inkling'],
  open: [special('<|content_thinking|>'), special('<|message_model|><|content_thinking|>')],
  close: special('<|end_message|>'),
  wrappers: [frame`${special('<|message_model|>')}`, frame`${special('<|content_text|>')}`, frame`${special('<|end_message|>')}`],
});
