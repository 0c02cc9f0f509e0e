import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const hermes = defineFormat({
  name: 'hermes',
  aliases: ['qwen25', 'qwen', 'trinity', 'default'],
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_hermes.jinja',
  models: ['Hermes 2', 'Hermes 3', 'Qwen2.5', 'Qwen3', 'Arcee Trinity'],
  block: { open: special('<tool_call>'), close: special('</tool_call>') },
  call: frame`${jsonCall()}`,
});
