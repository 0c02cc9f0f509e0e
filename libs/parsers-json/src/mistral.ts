import { any, defineFormat, frame, jsonArguments, jsonCall, name, special } from '@turnwright/parsing';

/** Since tokenizer v11 the name stands before the arguments; earlier ones wrote a list of objects, which is read too. */
export const mistral = defineFormat({
  name: 'mistral',
  aliases: ['mistral_v11'],
  source: 'https://github.com/unslothai/llama.cpp/blob/d32676d77426540327835040d5d3279728f0b4c8/models/templates/mistralai-Ministral-3-14B-Reasoning-2512.jinja',
  models: ['Mistral', 'Devstral', 'Magistral', 'Ministral'],
  reasoning: 'mistral',
  block: { open: special('[TOOL_CALLS]'), padding: ['', ''], separator: '' },
  call: frame`${name}[ARGS]${jsonArguments}`,
  variants: [frame`${name}[CALL_ID]${any()}[ARGS]${jsonArguments}`, frame`${name}${jsonArguments}`, frame`${jsonCall()}`],
});
