import { definePlugin } from '@turnwright/contracts';
import { qwen3Coder } from './qwen3-coder.js';

/** Tag formats. A new format is a file beside this one, its cases, and a line here. */
export const parsersXml = definePlugin({ apiVersion: 1, name: '@turnwright/parsers-xml', formats: [qwen3Coder] });
