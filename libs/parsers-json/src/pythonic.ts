import { defineFormat, frame, name, pythonArguments } from '@turnwright/parsing';

export const pythonic = defineFormat({
  name: 'pythonic',
  aliases: ['llama32_pythonic'],
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_gemma3_pythonic.jinja',
  models: ['Llama 3.2', 'ToolACE'],
  call: frame`${name}(${pythonArguments}`,
  bare: 'whole-answer',
});
