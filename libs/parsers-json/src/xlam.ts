import { defineFormat, frame, jsonCall, plain } from '@turnwright/parsing';

/** A list of objects as the whole answer, fenced or not; or behind a marker, which is what can be written anywhere. */
export const xlam = defineFormat({
  name: 'xlam',
  source: 'https://github.com/vllm-project/vllm/tree/017e9f4448b700e85ee16023287b025693c72b9e (tool parser xlam)',
  models: ['xLAM'],
  block: { open: [plain('[TOOL_CALLS]'), plain('```json')], close: plain('```'), closes: 'sometimes', padding: ['[', ']'], calls: 'many', separator: ', ' },
  call: frame`${jsonCall()}`,
  bare: 'whole-answer',
});
