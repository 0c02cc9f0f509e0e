import { definePlugin, PLUGIN_API_VERSION } from '@turnwright/contracts';
import { langgraphReader } from './langgraph/reader.js';
import { lossless } from './lossless.js';
import { slime } from './slime/slime-policy.js';

/** The built-in merge policies, and the reader of sessions that are recorded in tokens. */
export const trajectoryPlugin = definePlugin({ apiVersion: PLUGIN_API_VERSION, name: 'trajectory', mergePolicies: [lossless, slime], readers: [langgraphReader] });
