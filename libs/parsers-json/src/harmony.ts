import { defineFormat, frame, jsonArguments, name, special } from '@turnwright/parsing';

export const harmony = defineFormat({
  name: 'harmony',
  aliases: ['gpt_oss', 'openai', 'gptoss'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/openai-gpt-oss-120b.jinja',
  models: ['gpt-oss'],
  reasoning: 'harmony',
  call: frame`${special('<|channel|>')}commentary to=functions.${name} ${special('<|constrain|>')}json${special('<|message|>')}${jsonArguments}${special('<|call|>')}`,
});
