import { defineFormat, frame, jsonCall } from '@turnwright/parsing';

/** What a server makes a model write when tool_choice is required or names a tool. */
export const jsonArray = defineFormat({
  name: 'json_array',
  aliases: ['forced'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser JsonArrayParser, for a forced tool choice)',
  models: ['any model under a forced tool choice'],
  call: frame`${jsonCall({ arguments: ['parameters', 'arguments'] })}`,
  bare: 'whole-answer',
});
