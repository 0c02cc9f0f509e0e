import { defineReasoning } from '@turnwright/contracts';
import { frame, plain } from '../frames/frame.js';

export const ernie45 = defineReasoning({
  name: 'ernie45',
  aliases: ['ernie_45'],
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (reasoning parser ernie45)',
  models: ['ERNIE 4.5'],
  open: plain('<think>'),
  close: plain('</think>'),
  padding: ['\n', '\n', '\n\n'],
  wrappers: [frame`<response>`, frame`</response>`],
});
