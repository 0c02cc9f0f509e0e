import { definePlugin } from '@turnwright/contracts';
import { hermes } from './hermes.js';

/** Formats whose call body is JSON. A new format is a file beside this one, its cases, and a line here. */
export const parsersJson = definePlugin({ apiVersion: 1, name: '@turnwright/parsers-json', formats: [hermes] });
