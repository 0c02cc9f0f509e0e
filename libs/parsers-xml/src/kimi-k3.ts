import { any, defineFormat, frame, key, name, pairs, special, type, value } from '@turnwright/parsing';

const parameters = pairs(frame`${special('<|open|>')}argument key="${key}" type="${type}"${special('<|sep|>')}${value}${special('<|close|>')}argument${special('<|sep|>')}`, { separator: '' });

export const kimiK3 = defineFormat({
  name: 'kimi_k3',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser kimi_k3)',
  models: ['Kimi K3'],
  reasoning: 'kimi_k3',
  block: { open: special('<|open|>tools<|sep|>'), close: special('<|close|>tools<|sep|>'), padding: ['', ''], calls: 'many', separator: '' },
  call: frame`${special('<|open|>')}call tool="${name}" index="${any('1')}"${special('<|sep|>')}${parameters}${special('<|close|>')}call${special('<|sep|>')}`,
});
