import { defineFormat, frame, name, toolTags } from '@turnwright/parsing';

/** Cline's and Roo's way, and the AI SDK parser's morphXml: a tag called as the tool, arguments in tags called as they are. */
export const toolTagsFormat = defineFormat({
  name: 'tool_tags',
  aliases: ['morph_xml', 'cline_xml', 'tool_named_xml'],
  source: 'https://github.com/cline/cline (system prompt, tool use formatting) and @ai-sdk-tool/parser 4.1.26 (morphXml)',
  models: ['any model that Cline or Roo prompts'],
  call: frame`<${name}>\n${toolTags}`,
  bare: 'declared',
});
