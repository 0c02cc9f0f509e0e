import { describeFormats } from '@turnwright/testing';
import { parsersXml } from './parsers-xml.plugin.js';

describeFormats(parsersXml.formats ?? [], import.meta.url);
