import type { Frame } from '@turnwright/contracts';
import { any, defineFormat, frame, jsonArguments, name, special } from '@turnwright/parsing';

/** The recipient may stand before the channel, and models add words to the header; what stands between name and message is forgotten. */
function header(start: string): Frame {
  return frame`${special(start)}${name} ${any()}${special('<|message|>')}${jsonArguments}${special('<|call|>')}`;
}

export const harmony = defineFormat({
  name: 'harmony',
  aliases: ['gpt_oss', 'openai', 'gptoss'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/openai-gpt-oss-120b.jinja',
  models: ['gpt-oss'],
  reasoning: 'harmony',
  call: frame`${special('<|channel|>')}commentary to=functions.${name} ${special('<|constrain|>')}json${special('<|message|>')}${jsonArguments}${special('<|call|>')}`,
  variants: [
    ...['<|channel|>commentary to=functions.', '<|channel|>analysis to=functions.', '<|channel|>final to=functions.', '<|channel|>commentary to=', '<|channel|>analysis to=', '<|start|>assistant to=functions.', '<|start|>assistant to='].map(header),
    frame`${special('<|channel|>commentary')} ${special('<|constrain|>')}json to=functions.${name}${special('<|message|>')}${jsonArguments}${special('<|call|>')}`,
  ],
});
