import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const inkling = defineFormat({
  name: 'inkling',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser inkling)',
  models: ['TML Inkling'],
  reasoning: 'inkling',
  block: { open: [special('<|content_invoke_tool_json|>'), special('<|message_model|><|content_invoke_tool_json|>')], close: special('<|end_message|>'), padding: ['', ''], separator: '' },
  call: frame`${jsonCall({ arguments: ['args', 'arguments'] })}`,
});
