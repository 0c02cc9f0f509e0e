import { definePlugin } from '@turnwright/contracts';
import { deepseekV32 } from './deepseek-v32.js';
import { deepseekV4 } from './deepseek-v4.js';
import { deepseekV41 } from './deepseek-v41.js';
import { dots } from './dots.js';
import { glm45 } from './glm45.js';
import { glm47 } from './glm47.js';
import { hyV3 } from './hy-v3.js';
import { kimiK3 } from './kimi-k3.js';
import { mimo } from './mimo.js';
import { minicpm5 } from './minicpm5.js';
import { minimaxM2 } from './minimax-m2.js';
import { minimaxM3 } from './minimax-m3.js';
import { museGlimmer } from './muse-glimmer.js';
import { openhandsXml } from './openhands-xml.js';
import { qwen3Coder } from './qwen3-coder.js';
import { seedOss } from './seed-oss.js';
import { step3 } from './step3.js';
import { sweagentXml } from './sweagent-xml.js';
import { toolTagsFormat } from './tool-tags.js';

/** Tag formats. A new format is a file beside this one, its cases, and two lines here. */
export const parsersXml = definePlugin({
  apiVersion: 1,
  name: '@turnwright/parsers-xml',
  formats: [
    deepseekV32,
    deepseekV4,
    deepseekV41,
    dots,
    glm45,
    glm47,
    hyV3,
    kimiK3,
    mimo,
    minicpm5,
    minimaxM2,
    minimaxM3,
    museGlimmer,
    openhandsXml,
    qwen3Coder,
    seedOss,
    step3,
    sweagentXml,
    toolTagsFormat,
  ],
});
