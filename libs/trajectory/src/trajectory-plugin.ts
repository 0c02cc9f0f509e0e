import { definePlugin, PLUGIN_API_VERSION } from '@turnwright/contracts';
import { lossless } from './lossless.js';
import { slime } from './slime/slime-policy.js';

/** The built-in merge policies. */
export const trajectoryPlugin = definePlugin({ apiVersion: PLUGIN_API_VERSION, name: 'trajectory', mergePolicies: [lossless, slime] });
