import type { Frame } from '@turnwright/contracts';
import { defineFormat, frame, jsonCall, plain } from '@turnwright/parsing';

/** Models that were shown no format of their own answer with one call in a code fence. */
function fenced(opener: string): Frame {
  return frame`${plain(opener)}\n${jsonCall({ arguments: ['parameters', 'arguments'] })}\n${plain('```')}`;
}

/** What a server makes a model write when tool_choice is required or names a tool. */
export const jsonArray = defineFormat({
  name: 'json_array',
  aliases: ['forced'],
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser JsonArrayParser, for a forced tool choice)',
  models: ['any model under a forced tool choice'],
  call: frame`${jsonCall({ arguments: ['parameters', 'arguments'] })}`,
  variants: [fenced('```json'), fenced('```')],
  bare: 'whole-answer',
});
