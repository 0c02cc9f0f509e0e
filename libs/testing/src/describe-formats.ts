import { AgentError, type CallToWrite, type ReasoningFormat, type ToolDefinition, type ToolFormat } from '@turnwright/contracts';
import { reasoningFormats, think, writeCalls, type ParserOptions } from '@turnwright/parsing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MANDATORY_CASES, readCases, type CaseFile, type FormatCase } from './cases.js';
import { cutsOf, randomPieces } from './cuts.js';
import { hostileString, markerSoup } from './hostile.js';
import { essence, faultOf, read, type Reading } from './invariants.js';

export interface DescribeOptions {
  /** Reasoning format of a tool format; the built-in that the format names when absent. */
  readonly reasoning?: (format: ToolFormat) => ReasoningFormat;
  readonly fallbacks?: readonly ToolFormat[];
  /** Seed of everything random; printed in every title that depends on it. */
  readonly seed?: number;
  /** Runs of each property. */
  readonly runs?: number;
}

/**
 * Tests formats as Turnwright's own are tested, from `NAME.cases.yaml` beside the test file.
 *
 * Each case is read whole, character by character, in two at every place and at random places; spans must tile, events must be in
 * order, and arguments JSON. Then: what the writer writes is read back whatever the strings hold, and marker soup never breaks anything.
 */
export function describeFormats(formats: readonly ToolFormat[], testUrl: string, options: DescribeOptions = {}): void {
  for (const format of formats) {
    describe(format.name, () => {
      const file = readCases(new URL(`./${format.name.replaceAll('_', '-')}.cases.yaml`, testUrl));
      const seed = options.seed ?? 20_261_130;
      describeCases(format, file, seed, options);
      describeProperties(format, seed, options);
    });
  }
}

function describeCases(format: ToolFormat, file: CaseFile, seed: number, options: DescribeOptions): void {
  test('has a case for everything that a format must show', () => {
    const names = new Set(file.cases.map(({ name }) => name));
    expect(MANDATORY_CASES.filter((name) => !names.has(name))).toEqual([]);
  });
  for (const given of file.cases) {
    test(given.because === undefined ? given.name : `${given.name} (${given.because})`, () => {
      const parserOptions = optionsOf(format, file.tools, given, options);
      const whole = read([given.output], parserOptions, given.end);
      // White space between calls is kept, and says nothing: cases leave it out.
      const isWord = (item: FormatCase['items'][number]): boolean => !('text' in item) || item.text.trim() !== '';
      expect(whole.output.items.map(describeItem(whole)).filter(isWord)).toEqual(given.items.filter(isWord));
      if (given.attempts !== undefined) expect(whole.output.attempts.map(({ name, status, notes }, index) => ({ name, status, ...(given.attempts?.[index]?.notes === undefined ? {} : { notes }) }))).toEqual(given.attempts);
      for (const cut of cutsOf(given.output, seed)) {
        const reading = read(cut.pieces, parserOptions, given.end);
        expect(faultOf(given.output, reading), cut.name).toBeUndefined();
        expect(essence(reading), cut.name).toEqual(essence(whole));
      }
    });
  }
  test('an output cut short gives no call that the whole one lacks, and no markup as text', () => {
    const one = file.cases.find(({ name }) => name === 'one');
    if (one === undefined) return;
    const parserOptions = optionsOf(format, file.tools, one, options);
    const whole = read([one.output], parserOptions, 'stop').output.toolUses;
    for (let at = 0; at < one.output.length; at++) {
      const reading = read([one.output.slice(0, at)], parserOptions, 'length');
      expect(faultOf(one.output.slice(0, at), reading), `cut at ${String(at)}`).toBeUndefined();
      for (const call of reading.output.toolUses) expect(whole, `cut at ${String(at)}`).toContainEqual(call);
    }
  });
}

function describeItem({ output }: Reading): (item: Reading['output']['items'][number]) => FormatCase['items'][number] {
  return (item) => {
    if (item.kind === 'text') return { text: item.text };
    if (item.kind === 'reasoning') return { reasoning: item.text };
    const status = output.attempts.find(({ index }) => index === item.index)?.status;
    return { call: item.name, arguments: item.arguments, status: status === 'repaired' ? 'repaired' : 'ok' };
  };
}

function optionsOf(format: ToolFormat, tools: readonly unknown[], given: FormatCase, options: DescribeOptions): ParserOptions {
  return {
    format,
    reasoning: reasoningOf(format, options),
    fallbacks: (options.fallbacks ?? []).filter((fallback) => fallback !== format),
    tools: tools as readonly ToolDefinition[],
    promptOpensReasoning: given.promptOpensReasoning,
    ...(given.thinking === undefined ? {} : { thinking: given.thinking }),
    callsInReasoning: given.callsInReasoning,
    strict: given.strict,
  };
}

function reasoningOf(format: ToolFormat, options: DescribeOptions): ReasoningFormat {
  return options.reasoning?.(format) ?? reasoningFormats.find(({ name, aliases }) => name === format.reasoning || aliases.includes(format.reasoning)) ?? think;
}

const TOOL: ToolDefinition = { name: 'find', parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' }, n: { type: 'integer' }, o: { type: 'object' } } } };

function describeProperties(format: ToolFormat, seed: number, options: DescribeOptions): void {
  const reasoning = reasoningOf(format, options);
  const parameters = { seed, numRuns: options.runs ?? 200 };
  const parserOptions: ParserOptions = { format, reasoning, fallbacks: (options.fallbacks ?? []).filter((fallback) => fallback !== format), tools: [TOOL] };
  test(`what is written is read back, however it is cut (seed ${String(seed)})`, () => {
    let written = 0;
    const call = fc.record({ a: hostileString(format), b: hostileString(format), n: fc.integer() }).map(({ a, b, n }): CallToWrite => ({ name: 'find', arguments: `{"a": ${JSON.stringify(a)}, "n": ${String(n)}, "b": ${JSON.stringify(b)}}` }));
    fc.assert(fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), fc.nat(), (calls, cutSeed) => {
      const text = writeOrRefuse(format, calls);
      if (text === undefined) return;
      written++;
      const { output } = read(randomPieces(text, cutSeed), parserOptions, 'stop');
      expect(output.toolUses.map(({ name, input }) => ({ name, arguments: JSON.parse(input) as unknown }))).toEqual(calls.map(({ name, arguments: input }) => ({ name, arguments: JSON.parse(input) as unknown })));
    }), parameters);
    // Refusing everything would pass as well.
    expect(written).toBeGreaterThan(parameters.numRuns / 4);
  });
  test(`marker soup reads the same under every cut, and nothing is lost (seed ${String(seed)})`, () => {
    fc.assert(fc.property(markerSoup(format), fc.nat(), fc.boolean(), fc.constantFrom<'stop' | 'length'>('stop', 'length'), (text, cutSeed, promptOpensReasoning, end) => {
      const soupOptions = { ...parserOptions, promptOpensReasoning };
      const whole = read([text], soupOptions, end);
      expect(faultOf(text, whole)).toBeUndefined();
      for (const pieces of [randomPieces(text, cutSeed), Array.from({ length: text.length }, (_, index) => text.charAt(index))]) {
        const reading = read(pieces, soupOptions, end);
        expect(faultOf(text, reading)).toBeUndefined();
        expect(essence(reading)).toEqual(essence(whole));
      }
    }), { ...parameters, numRuns: parameters.numRuns * 2 });
  });
}

function writeOrRefuse(format: ToolFormat, calls: readonly CallToWrite[]): string | undefined {
  try {
    return writeCalls(format, calls, [TOOL]);
  } catch (error) {
    if (error instanceof AgentError && error.code === 'cannot-express') return undefined;
    throw error;
  }
}
