import { defineFormat, frame, jsonCall, name, pythonArguments, special } from '@turnwright/parsing';

export const lfm2 = defineFormat({
  name: 'lfm2',
  aliases: ['lfm2_5'],
  source: 'https://github.com/huggingface/trl/blob/f2cd57710ae345ea6428ae95363267fcf38a3dc8/trl/chat_templates/lfm2.jinja',
  models: ['LFM2', 'LFM2.5'],
  block: { open: special('<|tool_call_start|>'), close: special('<|tool_call_end|>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${name}(${pythonArguments}`,
  variants: [frame`${jsonCall()}`],
});
