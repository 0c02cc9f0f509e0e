import { defineReasoning } from '@turnwright/contracts';
import { plain } from '../frames/frame.js';

/** The markers are plain words. */
export const granite = defineReasoning({
  name: 'granite',
  aliases: ['granite3'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/ibm-granite-granite-3.3-2B-Instruct.jinja',
  models: ['Granite 3.2'],
  open: [plain('Here is my thought process:'), plain('Here\'s my thought process:')],
  close: [plain('Here is my response:'), plain('Here\'s my response:')],
  padding: [' ', ' ', ' '],
});
