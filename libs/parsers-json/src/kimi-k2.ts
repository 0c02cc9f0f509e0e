import { callId, defineFormat, frame, jsonArguments, special } from '@turnwright/parsing';

export const kimiK2 = defineFormat({
  name: 'kimi_k2',
  aliases: ['kimik2', 'kimi_k25'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/Kimi-K2-Thinking.jinja',
  models: ['Kimi K2', 'Kimi K2.5'],
  reasoning: 'kimi_k2',
  block: {
    open: [special('<|tool_calls_section_begin|>'), special('<|tool_call_section_begin|>')],
    close: [special('<|tool_calls_section_end|>'), special('<|tool_call_section_end|>')],
    padding: ['', ''],
    calls: 'many',
    separator: '',
  },
  call: frame`${special('<|tool_call_begin|>')}${callId('functions.', ':')}${special('<|tool_call_argument_begin|>')}${jsonArguments}${special('<|tool_call_end|>')}`,
});
