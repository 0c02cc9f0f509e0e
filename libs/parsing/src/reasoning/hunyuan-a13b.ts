import { defineReasoning } from '@turnwright/contracts';
import { frame, plain } from '../frames/frame.js';

export const hunyuanA13b = defineReasoning({
  name: 'hunyuan_a13b',
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (reasoning parser hunyuan_a13b)',
  models: ['Hunyuan A13B'],
  open: plain('<think>'),
  close: plain('</think>'),
  padding: ['\n', '\n', '\n'],
  wrappers: [frame`<answer>`, frame`</answer>`],
});
