import { defineFormat, frame, key, name, pairs, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'multiline' });

export const openhandsXml = defineFormat({
  name: 'openhands_xml',
  aliases: ['openhands'],
  source: 'https://github.com/All-Hands-AI/OpenHands (fn_call_converter, the prompt-based function calls)',
  models: ['any model that OpenHands prompts'],
  call: frame`<function=${name}>\n${parameters}\n</function>`,
});
