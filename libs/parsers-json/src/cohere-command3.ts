import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const cohereCommand3 = defineFormat({
  name: 'cohere_command3',
  aliases: ['cohere', 'cohere_cmd'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja',
  models: ['Command R7B', 'Command A'],
  reasoning: 'cohere_command3',
  block: { open: special('<|START_ACTION|>'), close: special('<|END_ACTION|>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall({ name: ['tool_name', 'name'], arguments: ['parameters', 'arguments'], id: ['tool_call_id'] })}`,
});
