import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const llama4Json = defineFormat({
  name: 'llama4_json',
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_llama4_json.jinja',
  models: ['Llama 4'],
  block: { open: special('<|python_tag|>'), padding: ['', ''], calls: 'many', separator: '; ' },
  call: frame`${jsonCall({ arguments: ['parameters', 'arguments'] })}`,
  bare: 'whole-answer',
});
