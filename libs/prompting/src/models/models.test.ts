import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelFamilies } from './families.js';
import { familyTemplate, familyTokenizer, findModel, type ModelFamily } from './model-family.js';
import { findModels, modelPlaces, type ModelPlaces } from './model-places.js';

const CHATML = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const family: ModelFamily = { name: 'small', description: 'Small models', repositories: ['acme/Small-*'] };
let root = '';
let places: ModelPlaces = { folders: [], cache: '' };

async function inCache(repository: string, revision: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(places.cache, `models--${repository.replace('/', '--')}`);
  await mkdir(join(folder, 'snapshots', revision), { recursive: true });
  await mkdir(join(folder, 'refs'), { recursive: true });
  await writeFile(join(folder, 'refs', 'main'), revision);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'snapshots', revision, name), text);
  return folder;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'turnwright-models-'));
  places = { folders: [join(root, 'mine')], cache: join(root, 'hub') };
  await mkdir(join(root, 'mine'));
  await inCache('acme/Small-1B', 'abc', { 'chat_template.jinja': CHATML, 'tokenizer_config.json': '{"eos_token": "<|im_end|>"}' });
  await inCache('acme/Small-2B', 'def', { 'chat_template.jinja': CHATML });
  await inCache('other/Large', 'ghi', { 'chat_template.jinja': `${CHATML}other` });
});
afterAll(async () => rm(root, { recursive: true, force: true }));

describe('places', () => {
  it('are the folders of TURNWRIGHT_MODELS and the cache, where huggingface_hub has it', () => {
    expect(modelPlaces({ TURNWRIGHT_MODELS: ['/a', '/b'].join(delimiter) }, '/home/me')).toEqual({ folders: ['/a', '/b'], cache: join('/home/me', '.cache', 'huggingface', 'hub') });
    expect(modelPlaces({ XDG_CACHE_HOME: '/x' }, '/h').cache).toBe(join('/x', 'huggingface', 'hub'));
    expect(modelPlaces({ XDG_CACHE_HOME: '/x', HF_HOME: '/hf' }, '/h').cache).toBe(join('/hf', 'hub'));
    expect(modelPlaces({ HF_HOME: '/hf', HF_HUB_CACHE: '/hub' }, '/h').cache).toBe('/hub');
  });

  it('that are not there hold nothing', async () => {
    expect(await findModels(['*'], { folders: [join(root, 'nowhere')], cache: join(root, 'neither') })).toEqual([]);
  });

  it('hold models under NAME, under ORGANISATION/NAME, and behind links', async () => {
    const folder = join(root, 'folders');
    for (const name of ['plain', 'org/inner']) {
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(join(folder, name, 'tokenizer.json'), '{}');
    }
    await mkdir(join(folder, 'empty'));
    await symlink(join(folder, 'plain'), join(folder, 'linked'), 'junction');
    const found = await findModels(['*'], { folders: [folder], cache: '' });
    expect(found.map(({ repository }) => repository)).toEqual(['linked', 'org/inner', 'plain']);
  });

  it('take the revision that main names, or the only one', async () => {
    const hub: ModelPlaces = { folders: [], cache: join(root, 'revisions') };
    const put = async (repository: string, revisions: readonly string[], main?: string): Promise<void> => {
      const folder = join(hub.cache, `models--${repository.replace('/', '--')}`);
      for (const revision of revisions) await mkdir(join(folder, 'snapshots', revision), { recursive: true });
      await mkdir(join(folder, 'refs'), { recursive: true });
      if (main !== undefined) await writeFile(join(folder, 'refs', 'main'), `${main}\n`);
    };
    await put('a/two', ['old', 'new'], 'new');
    await put('a/one', ['only']);
    await put('a/unsure', ['x', 'y']);
    expect((await findModels(['a/*'], hub)).map(({ source }) => source)).toEqual(['a/one@only', 'a/two@new']);
  });
});

describe('a family', () => {
  it('is found in the cache when its models agree, and says which revision', async () => {
    const template = await familyTemplate(family, () => places).load();
    expect(template).toMatchObject({ name: 'small', source: 'acme/Small-1B@abc', endOfTurn: '<|im_end|>', server: 'transformers' });
    expect((await familyTemplate(family, () => places).load({ server: 'vllm' })).server).toBe('vllm');
  });

  it('is asked for when its models differ', async () => {
    const both: ModelFamily = { ...family, repositories: ['acme/*', 'other/*'] };
    await expect(familyTemplate(both, () => places).load()).rejects.toMatchObject({ code: 'conflicting-options', message: 'The template "small" could be that of acme/Small-1B or acme/Small-2B or other/Large, which differ; say which: --template acme/Small-1B.' });
  });

  it("is a file of its name first, in the user's folders", async () => {
    await writeFile(join(root, 'mine', 'small.jinja'), `${CHATML}{# mine #}`);
    expect((await familyTemplate(family, () => places).load()).source).toBe('small.jinja');
    await rm(join(root, 'mine', 'small.jinja'));
  });

  it('that is nowhere is missing, by repository and place', async () => {
    await expect(familyTokenizer(family, () => places).load()).rejects.toMatchObject({ code: 'missing-data', message: expect.stringContaining('looked for acme/Small-* in') as string });
    await expect(familyTemplate({ ...family, repositories: ['acme/None'] }, () => places).load()).rejects.toMatchObject({ code: 'missing-data', exitCode: 3 });
  });

  it('with a broken template is an error, not a miss', async () => {
    await inCache('broken/One', 'r', { 'chat_template.jinja': '{% if %}' });
    await expect(familyTemplate({ ...family, repositories: ['broken/*'] }, () => places).load()).rejects.toMatchObject({ code: 'template-failed' });
  });

  it('is found by the name of its repository too', async () => {
    expect(await findModel('acme/Small-2B', places)).toMatchObject({ source: 'acme/Small-2B@def' });
    expect(await findModel('acme/*', places)).toBeUndefined();
    expect(await findModel('acme/Small', places)).toBeUndefined();
  });
});

describe('the list of families', () => {
  it('has at least thirty, with a name and repositories each, and no repository in two', () => {
    expect(modelFamilies.length).toBeGreaterThanOrEqual(30);
    const patterns = modelFamilies.flatMap(({ repositories }) => repositories);
    expect(new Set(patterns).size).toBe(patterns.length);
    expect(patterns.filter((pattern) => !/^[\w.-]+\/[\w.*-]+$/.test(pattern))).toEqual([]);
  });
});
