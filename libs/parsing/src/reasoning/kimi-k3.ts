import { defineReasoning } from '@turnwright/contracts';
import { frame, special } from '../frames/frame.js';

export const kimiK3 = defineReasoning({
  name: 'kimi_k3',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (reasoning parser kimi_k3)',
  models: ['Kimi K3'],
  open: special('<|open|>think<|sep|>'),
  close: special('<|close|>think<|sep|>'),
  wrappers: [frame`${special('<|open|>')}response${special('<|sep|>')}`, frame`${special('<|close|>')}response${special('<|sep|>')}`, frame`${special('<|close|>')}message${special('<|sep|>')}`, frame`${special('<|end_of_msg|>')}`],
});
