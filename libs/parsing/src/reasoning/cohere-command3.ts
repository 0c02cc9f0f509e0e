import { defineReasoning } from '@turnwright/contracts';
import { frame, special } from '../frames/frame.js';

export const cohereCommand3 = defineReasoning({
  name: 'cohere_command3',
  aliases: ['cohere', 'cohere_cmd'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja',
  models: ['Command R7B', 'Command A'],
  open: special('<|START_THINKING|>'),
  close: special('<|END_THINKING|>'),
  wrappers: [frame`${special('<|START_RESPONSE|>')}`, frame`${special('<|END_RESPONSE|>')}`, frame`${special('<|START_TEXT|>')}`, frame`${special('<|END_TEXT|>')}`],
});
