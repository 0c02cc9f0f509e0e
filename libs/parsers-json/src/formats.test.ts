import { describeFormats } from '@turnwright/testing';
import { parsersJson } from './parsers-json.plugin.js';

describeFormats(parsersJson.formats ?? [], import.meta.url);
