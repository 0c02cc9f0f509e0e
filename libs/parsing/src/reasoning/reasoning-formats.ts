import type { ReasoningFormat } from '@turnwright/contracts';
import { apertus } from './apertus.js';
import { cohereCommand3 } from './cohere-command3.js';
import { cohereCommand4 } from './cohere-command4.js';
import { ernie45 } from './ernie45.js';
import { gemma4 } from './gemma4.js';
import { granite } from './granite.js';
import { harmony } from './harmony.js';
import { hunyuanA13b } from './hunyuan-a13b.js';
import { inkling } from './inkling.js';
import { kimi } from './kimi.js';
import { kimiK3 } from './kimi-k3.js';
import { minimaxM2AppendThink } from './minimax-m2-append-think.js';
import { minimaxM3 } from './minimax-m3.js';
import { mistral } from './mistral.js';
import { museGlimmer } from './muse-glimmer.js';
import { none } from './none.js';
import { seedOss } from './seed-oss.js';
import { think } from './think.js';

/** Every reasoning format that is built in. A new one is a file beside this one and two lines here. */
export const reasoningFormats: readonly ReasoningFormat[] = [
  apertus,
  cohereCommand3,
  cohereCommand4,
  ernie45,
  gemma4,
  granite,
  harmony,
  hunyuanA13b,
  inkling,
  kimi,
  kimiK3,
  minimaxM2AppendThink,
  minimaxM3,
  mistral,
  museGlimmer,
  none,
  seedOss,
  think,
];
