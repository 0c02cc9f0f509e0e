import { defineFormat, frame, name, pythonArguments, special } from '@turnwright/parsing';

export const llama4Pythonic = defineFormat({
  name: 'llama4_pythonic',
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_llama4_pythonic.jinja',
  models: ['Llama 4'],
  block: { open: special('<|python_start|>'), close: special('<|python_end|>'), padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${name}(${pythonArguments}`,
  bare: 'whole-answer',
});
