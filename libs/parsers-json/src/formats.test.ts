import { describeFormats } from '@turnwright/testing';
import { hermes } from './hermes.js';
import { jsonArray } from './json-array.js';
import { parsersJson } from './parsers-json.plugin.js';

// With the fallbacks of the command, which must not change what a format's own cases say.
describeFormats(parsersJson.formats ?? [], import.meta.url, { fallbacks: [hermes, jsonArray] });
