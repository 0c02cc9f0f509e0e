import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { CONTEXT, inDirectory, rowsOf, run, SESSION, WORKSPACE } from '../workspace.fixture.js';

const TEMPLATES = join(WORKSPACE, '../shared/conformance/render/templates');

/** Templates that refuse the example as their servers would, and why. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'gemma-3': /Conversation roles must alternate/,
  'kimi-k2': /access to attribute 'append' of 'list' object is unsafe/,
  'kimi-k2-thinking': /access to attribute 'append' of 'list' object is unsafe/,
  'llama-3.1': /only supports single tool-calls at once/,
  'llama-3.2': /only supports single tool-calls at once/,
  'npm-gemini': /System role not supported/,
};

/** Templates without calls, of models whose format is not to be seen in them: the user says it. */
const PARSERS: Readonly<Record<string, string>> = { 'lfm2': 'lfm2', 'smollm3': 'hermes', 'llama3-trl-training': 'llama3_json', 'npm-llama3': 'llama3_json', 'npm-llama3_1': 'llama3_json' };

/** Templates that take one call in a reply, so that the example's reply of two has no rendering. */
const ONE_CALL = ['gpt-oss', 'gptoss-trl-training'];

interface Summary {
  readonly sampledTokens: number;
  readonly trainedTokens: number;
  readonly excludedByReason: Readonly<Record<string, number>>;
}

describe.skipIf(!existsSync(TEMPLATES))('the example session, for every chat template of the reference (skipped where the templates are absent)', () => {
  const manifest = existsSync(TEMPLATES) ? JSON.parse(readFileSync(join(TEMPLATES, 'MANIFEST.json'), 'utf8')) as Readonly<Record<string, { readonly file: string; readonly bos_token: string | null; readonly eos_token: string | null }>> : {};

  test.each(Object.entries(manifest))('%s', (name, { file, bos_token, eos_token }) =>
    inDirectory(async (directory) => {
      // As a model folder, which says the tokens that the template writes.
      const [model, out] = [join(directory, name), join(directory, 'out')];
      await mkdir(model);
      await writeFile(join(model, 'chat_template.jinja'), readFileSync(join(TEMPLATES, file)));
      await writeFile(join(model, 'tokenizer_config.json'), JSON.stringify({ ...(bos_token === null ? {} : { bos_token }), ...(eos_token === null ? {} : { eos_token }) }));
      const kwargs = name === 'hy3' ? ['--set', 'chat_template_kwargs={"reasoning_effort": "high"}'] : [];
      const ran = await run('replay', SESSION, ...CONTEXT, '--template', model, '--tool-call-parser', PARSERS[name] ?? 'auto', '--now', '2026-01-15T12:34:56', ...kwargs, '--out', out, '--json');
      expect(ran.err).toBe('');
      const summary = JSON.parse(ran.out) as Summary;
      const refusal = REFUSALS[name];
      if (refusal !== undefined) {
        expect(summary.trainedTokens).toBe(0);
        expect(readFileSync(join(out, 'ledger.jsonl'), 'utf8')).toMatch(refusal);
        return;
      }
      const { 'reasoning-not-rendered': withoutPlace = 0, 'template-text': written = 0, ...others } = summary.excludedByReason;
      if (ONE_CALL.includes(name)) expect(readFileSync(join(out, 'ledger.jsonl'), 'utf8').match(/"severity":"warning"[^\n]*/g)).toEqual([expect.stringContaining('The template does not show the call of \\"Read\\"')]);
      else expect(others).toEqual({});
      expect(summary.trainedTokens + withoutPlace + written + (others['render-mismatch'] ?? 0)).toBe(summary.sampledTokens);
      expect(written).toBeLessThanOrEqual(5);
      expect((await rowsOf(out)).flatMap(({ spans }) => spans).filter(({ kind }) => kind === 'call').length).toBeGreaterThan(0);
      // Read back by the parsers of the model's server, the rows say the calls that the session says.
      const differing = readFileSync(join(out, 'ledger.jsonl'), 'utf8').split('\n').filter((line) => line.includes('parse-differs'));
      expect(differing.map((line) => (JSON.parse(line) as { call_id: string }).call_id)).toEqual([]);
    }));
});

describe('a model on this machine', () => {
  const files = { 'chat_template.jinja': "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}", 'tokenizer_config.json': '{"eos_token": "<|im_end|>"}' };

  test('is found by family and by repository in the cache, and its server and clock are in the manifest and the rows', () =>
    inDirectory(async (directory) => {
      const snapshot = join(directory, 'hub/models--ByteDance-Seed--Seed-OSS-36B-Instruct/snapshots/rev');
      await mkdir(snapshot, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(snapshot, name), text);
      vi.stubEnv('HF_HUB_CACHE', join(directory, 'hub'));
      try {
        for (const template of ['seed_oss', 'seed-oss', 'ByteDance-Seed/Seed-OSS-36B-Instruct']) {
          const out = join(directory, template.replace('/', '_'));
          expect(await run('replay', SESSION, ...CONTEXT, '--template', template, '--tool-call-parser', 'hermes', '--server', 'vllm', '--now', '2026-01-15T12:34:56', '--out', out)).toMatchObject({ code: 0, err: '' });
          const made = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { readonly template: unknown };
          expect(made.template).toMatchObject({ server: 'vllm', now: '2026-01-15T12:34:56', source: 'ByteDance-Seed/Seed-OSS-36B-Instruct@rev' });
          expect((await rowsOf(out))[0]?.metadata).toMatchObject({ server: 'vllm' });
        }
        expect(readdirSync(directory)).toContain('seed_oss');
        expect(await run('replay', SESSION, '--template', 'apertus', '--out', join(directory, 'none'))).toMatchObject({ code: 3, err: expect.stringMatching(/The template "apertus" is not on this machine: looked for swiss-ai\/Apertus-\*-Instruct-2509 in .*Nothing is downloaded/) as string });
      } finally {
        vi.unstubAllEnvs();
      }
    }));

  test('is checked: what breaks its prompts, and where a reply ends', async () => {
    const ran = await run('template', 'check', 'qwen3');
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatch(/causes +.*drops reasoning of earlier turns after a new question/);
    expect(ran.out).toMatch(/stop token +"<\|im_end\|>"/);
    expect(ran.out).toMatch(/in the template +written after every reply/);
    expect(JSON.parse((await run('template', 'check', 'qwen3', '--json')).out)).toMatchObject({ reasoningAfterResult: 'extends', toolsShown: true });
    expect(await run('template', 'check', '/nowhere.jinja')).toMatchObject({ code: 2, err: expect.stringContaining('Unknown chat template "/nowhere.jinja"') as string });
  });
});
