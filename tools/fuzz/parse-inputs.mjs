/** Outputs that the parse fuzz begins from, and what it does to them; everything follows from one generator. */
import { markersOf, readCases } from '@turnwright/testing';
import { reasoningFormats, think, writeCalls } from '@turnwright/parsing';

export const TOOLS = [
  { name: 'find', parameters: { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' }, o: { type: 'object' }, l: { type: 'array', items: { type: 'string' } } } } },
  { name: 'ping', parameters: { type: 'object', properties: {} } },
];
const WORDS = ['if (a < b) {', 'x = [1, 2]', '"quoted"', "it's", '\\', '\n', '\r\n', '\t', '`code`', '```\nfence\n```', '</', '<b>', '😀', 'é', '\u2028', 'null', '1.0', ' '];
const STRANGE = ['\u0000', '\ufeff', '\u2028', '\ud83d', '\ude00', '😀', '\u202e', '\u0301', '\ufffd', '\u001f', '\u00a0'];

/** Where the mutations of one format begin: what its writer writes and what its cases hold, each with its tools. */
export function outputsOf(format, casesUrl) {
  const written = WRITTEN.flatMap((calls) => {
    try {
      return [{ text: writeCalls(format, calls, TOOLS), tools: TOOLS }];
    } catch (error) {
      if (error.code === 'cannot-express') return [];
      throw error;
    }
  });
  const cases = casesUrl === undefined ? undefined : readCases(casesUrl);
  return [...written, ...(cases?.cases ?? []).map(({ output }) => ({ text: output, tools: cases.tools }))];
}

const WRITTEN = [
  [{ name: 'ping', arguments: '{}' }],
  [{ name: 'find', arguments: '{"a": "if (a < b) {\\n  return \\"x\\";\\n}", "n": 2}' }],
  [{ name: 'find', arguments: '{"o": {"k": [1, {"m": null}], "e": {}}, "l": ["a", "b c"]}' }, { name: 'ping', arguments: '{}' }],
  [{ name: 'find', arguments: '{"a": "😀 é", "n": -12345678901234567890}' }, { name: 'find', arguments: '{"a": ""}' }],
];

/** Markers of all formats and of thoughts, to be spliced into outputs of others. */
export function markersOfAll(formats) {
  return [...new Set([...formats.flatMap(markersOf), ...reasoningFormats.flatMap(({ open, close }) => [...open, ...close].map(({ text }) => text))])].filter((text) => text !== '');
}

/** One input: a format's output, what happened to it, and how it is read. `next` gives numbers in [0, 1). */
export function inputOf({ format, outputs }, markers, fallbacks, next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const { text, tools } = pick(outputs);
  const steps = Math.floor(next() ** 1.5 * 6);
  const around = next() < 0.3 ? `${pick(WORDS)}${text}${pick(WORDS)}` : next() < 0.15 ? `<think>${pick(WORDS)}</think>${text}` : text;
  let mutated = around;
  for (let step = 0; step < steps; step++) mutated = pick(MUTATIONS)(mutated, { next, pick, markers, other: pick(outputs).text });
  return { text: mutated.slice(0, 4000), steps, end: next() < 0.7 ? 'stop' : 'length', cutSeed: Math.floor(next() * 2 ** 31), options: { format, reasoning: reasoningOf(format), tools: next() < 0.9 ? tools : [], fallbacks: next() < 0.5 ? [] : fallbacks.filter((fallback) => fallback !== format), promptOpensReasoning: next() < 0.15, callsInReasoning: pick(['auto', 'auto', 'auto', 'always', 'never']), strict: next() < 0.1 } };
}

function reasoningOf(format) {
  return reasoningFormats.find(({ name, aliases }) => name === format.reasoning || aliases.includes(format.reasoning)) ?? think;
}

/** A stretch of the text, mostly short. */
function stretch(text, next) {
  const start = Math.floor(next() * (text.length + 1));
  return [start, Math.min(text.length, start + Math.floor(next() ** 3 * text.length) + 1)];
}

function insert(text, part, next) {
  const at = Math.floor(next() * (text.length + 1));
  return text.slice(0, at) + part + text.slice(at);
}

const MUTATIONS = [
  function cut(text, { next }) {
    const [start, end] = stretch(text, next);
    return text.slice(0, start) + text.slice(end);
  },
  function duplicate(text, { next }) {
    const [start, end] = stretch(text, next);
    return text.slice(0, end) + text.slice(start);
  },
  function swap(text, { next }) {
    const [start, end] = stretch(text, next);
    const rest = text.slice(0, start) + text.slice(end);
    return insert(rest, text.slice(start, end), next);
  },
  function truncate(text, { next }) {
    return text.slice(0, Math.floor(next() * (text.length + 1)));
  },
  function spliceMarker(text, { next, pick, markers }) {
    const marker = pick(markers);
    return insert(text, next() < 0.8 ? marker : marker.slice(0, Math.ceil(next() * marker.length)), next);
  },
  function spliceOther(text, { next, other }) {
    const [start, end] = stretch(other, next);
    return insert(text, other.slice(start, end), next);
  },
  function spliceStrange(text, { next, pick }) {
    return insert(text, pick(STRANGE), next);
  },
  function spliceWord(text, { next, pick }) {
    return insert(text, pick(WORDS), next);
  },
  function repeat(text, { next }) {
    const [start, end] = stretch(text, next);
    return insert(text, text.slice(start, Math.min(end, start + 12)).repeat(1 + Math.floor(next() ** 3 * 300)), next);
  },
];
