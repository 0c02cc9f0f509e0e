import { definePlugin } from '@turnwright/contracts';
import { apertus } from './apertus.js';
import { cohereCommand3 } from './cohere-command3.js';
import { cohereCommand4 } from './cohere-command4.js';
import { deepseekV3 } from './deepseek-v3.js';
import { deepseekV31 } from './deepseek-v31.js';
import { ernie45 } from './ernie45.js';
import { functionary } from './functionary.js';
import { functiongemma } from './functiongemma.js';
import { gemma4 } from './gemma4.js';
import { gigachat3 } from './gigachat3.js';
import { granite } from './granite.js';
import { granite4 } from './granite4.js';
import { granite20bFc } from './granite-20b-fc.js';
import { granitePythonic } from './granite-pythonic.js';
import { harmony } from './harmony.js';
import { hermes } from './hermes.js';
import { hunyuanA13b } from './hunyuan-a13b.js';
import { inkling } from './inkling.js';
import { internlm } from './internlm.js';
import { jamba } from './jamba.js';
import { jsonArray } from './json-array.js';
import { kimiK2 } from './kimi-k2.js';
import { lfm2 } from './lfm2.js';
import { llama3Json } from './llama3-json.js';
import { llama4Json } from './llama4-json.js';
import { llama4Pythonic } from './llama4-pythonic.js';
import { longcat } from './longcat.js';
import { mistral } from './mistral.js';
import { nemotronDeci } from './nemotron-deci.js';
import { olmo3 } from './olmo3.js';
import { phi4MiniJson } from './phi4-mini-json.js';
import { pythonic } from './pythonic.js';
import { xlam } from './xlam.js';

/** Formats whose call body is JSON, or like it. A new format is a file beside this one, its cases, and two lines here. */
export const parsersJson = definePlugin({
  apiVersion: 1,
  name: '@turnwright/parsers-json',
  formats: [
    apertus,
    cohereCommand3,
    cohereCommand4,
    deepseekV3,
    deepseekV31,
    ernie45,
    functionary,
    functiongemma,
    gemma4,
    gigachat3,
    granite,
    granite4,
    granite20bFc,
    granitePythonic,
    harmony,
    hermes,
    hunyuanA13b,
    inkling,
    internlm,
    jamba,
    jsonArray,
    kimiK2,
    lfm2,
    llama3Json,
    llama4Json,
    llama4Pythonic,
    longcat,
    mistral,
    nemotronDeci,
    olmo3,
    phi4MiniJson,
    pythonic,
    xlam,
  ],
});
