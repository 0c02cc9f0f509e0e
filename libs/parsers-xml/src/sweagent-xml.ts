import { defineFormat, frame, key, name, pairs, value } from '@turnwright/parsing';

const parameters = pairs(frame`<parameter=${key}>${value}</parameter>`, { padding: 'multiline' });

export const sweagentXml = defineFormat({
  name: 'sweagent_xml',
  aliases: ['swe_agent_xml'],
  source: 'https://github.com/SWE-agent/SWE-agent (XMLFunctionCallingParser)',
  models: ['any model that SWE-agent prompts'],
  call: frame`<function=${name}>\n${parameters}\n</function>`,
});
