/** Reads mutated outputs of every format, and looks for one that is read wrongly. */
import { readdirSync } from 'node:fs';
import { generator } from '@turnwright/testing';
import { parsersJson } from '@turnwright/parsers-json';
import { parsersXml } from '@turnwright/parsers-xml';
import { minimise } from './minimise.mjs';
import { inputFault } from './parse-faults.mjs';
import { inputOf, markersOfAll, outputsOf } from './parse-inputs.mjs';

const FALLBACKS = ['qwen3_coder', 'hermes', 'json_array'];

/** The built-in formats, each with the outputs that are mutated. */
export function builtInTargets() {
  return [...targetsOf(parsersJson.formats, 'parsers-json'), ...targetsOf(parsersXml.formats, 'parsers-xml')];
}

function targetsOf(formats, library) {
  const directory = new URL(`../../libs/${library}/src/`, import.meta.url);
  const files = new Set(readdirSync(directory));
  return formats.map((format) => {
    const file = `${format.name.replaceAll('_', '-')}.cases.yaml`;
    return { format, outputs: outputsOf(format, files.has(file) ? new URL(file, directory) : undefined) };
  });
}

/**
 * Fuzzes until `seconds` are over, `inputsMax` are read, or one fails; formats take turns.
 *
 * Returns the count of inputs and, when one failed, its format, its fault and its shortest text.
 */
export function fuzz({ seconds, seed, inputsMax = Infinity, targets = builtInTargets(), limitMs, log = console.log }) {
  const formats = targets.map(({ format }) => format);
  const markers = markersOfAll(formats);
  const fallbacks = formats.filter(({ name }) => FALLBACKS.includes(name));
  log(`seed ${String(seed)}, ${String(targets.length)} formats, ${String(targets.reduce((sum, { outputs }) => sum + outputs.length, 0))} outputs to begin from`);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  for (; count < inputsMax && performance.now() < end; count++) {
    const target = targets[count % targets.length];
    const input = inputOf(target, markers, fallbacks, generator(seed * 1_000_003 + count));
    const fault = inputFault(input, limitMs);
    if (fault !== undefined) return { count: count + 1, failure: report(input, fault, { seed, ordinal: count, limitMs, log }) };
  }
  log(`${String(count)} inputs, no fault`);
  return { count, failure: undefined };
}

function report(input, fault, { seed, ordinal, limitMs, log }) {
  const text = minimise(input.text, (shorter) => inputFault({ ...input, text: shorter }, limitMs) !== undefined);
  const { format, reasoning, fallbacks, tools, ...options } = input.options;
  const failure = { format: format.name, ordinal, text, fault: inputFault({ ...input, text }, limitMs) ?? fault };
  log(`FAILED: seed ${String(seed)}, input ${String(ordinal)}, format ${format.name}: ${fault}`);
  log(`minimised to ${String(text.length)} of ${String(input.text.length)} characters: ${JSON.stringify(text)}`);
  log(`there: ${failure.fault}`);
  log(`read with ${JSON.stringify({ ...options, end: input.end, cutSeed: input.cutSeed, reasoning: reasoning.name, fallbacks: fallbacks.map(({ name }) => name), tools: tools.map(({ name }) => name) })}`);
  return failure;
}
