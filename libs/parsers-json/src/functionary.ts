import { defineFormat, frame, jsonArguments, name, plain } from '@turnwright/parsing';

export const functionary = defineFormat({
  name: 'functionary',
  aliases: ['functionary_v3'],
  source: 'https://github.com/MeetKai/functionary (v3.2 prompt template, as llama.cpp reads it)',
  models: ['Functionary 3.2'],
  block: { open: plain('>>>'), padding: ['', ''], separator: '' },
  call: frame`${name}\n${jsonArguments}`,
  wrappers: [frame`>>>all\n`],
});
