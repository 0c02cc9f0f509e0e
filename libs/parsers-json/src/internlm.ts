import { defineFormat, frame, jsonCall, special } from '@turnwright/parsing';

export const internlm = defineFormat({
  name: 'internlm',
  aliases: ['internlm2', 'interns1', 'intern_s1'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser internlm)',
  models: ['InternLM 2.5', 'Intern-S1'],
  reasoning: 'interns1',
  block: { open: [special('<|action_start|><|plugin|>'), special('<|action_start|> <|plugin|>')], close: special('<|action_end|>'), padding: ['\n', ''] },
  call: frame`${jsonCall({ arguments: ['parameters', 'arguments'] })}`,
});
