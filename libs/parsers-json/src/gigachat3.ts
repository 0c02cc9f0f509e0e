import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const gigachat3 = defineFormat({
  name: 'gigachat3',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser gigachat3)',
  models: ['GigaChat 3', 'GigaChat 3.1'],
  block: { open: [special('<|message_sep|>\n\nfunction call<|role_sep|>'), special('<|function_call|>')], padding: ['\n', ''], separator: '' },
  call: frame`${jsonCall()}`,
  wrappers: [frame`${special('</s>')}`],
});
