import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const cohereCommand4 = defineFormat({
  name: 'cohere_command4',
  source: 'https://github.com/sgl-project/sglang/tree/d315eb725044e435b146c85488b7c6d9222f7fec (function call parser cohere_command4)',
  models: ['Command A+', 'North', 'Cohere2 MoE'],
  reasoning: 'cohere_command4',
  block: { open: special('<|START_ACTION|>'), close: special('<|END_ACTION|>'), padding: ['[\n', '\n]'], calls: 'many', separator: ',\n' },
  call: frame`${jsonCall({ name: ['tool_name', 'name'], arguments: ['parameters', 'arguments'], id: ['tool_call_id'] })}`,
});
