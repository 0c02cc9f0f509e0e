import { defineFormat, frame, key, name, pairs, special, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'line' });

export const qwen3Coder = defineFormat({
  name: 'qwen3_coder',
  aliases: ['qwen3_xml', 'step3p5', 'nemotron_nano', 'qwen_xml', 'nemotron', 'qwen_coder', 'nemotron_3'],
  source: 'https://github.com/vllm-project/vllm/blob/017e9f4448b700e85ee16023287b025693c72b9e/examples/tool_chat_template_qwen3coder.jinja',
  models: ['Qwen3-Coder', 'Qwen3.5', 'Qwen3.6', 'Step-3.5', 'Nemotron 3'],
  block: { open: special('<tool_call>'), close: special('</tool_call>') },
  call: frame`<function=${name}>\n${parameters}\n</function>`,
  bare: 'declared',
});
