import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeSession, inDirectory, ledgerOf, run, SESSION, spawned, WORKSPACE, type CallLine } from '../workspace.fixture.js';

const ARROW = join(WORKSPACE, 'examples/plugins/arrow-calls.ts');
const ARROW_OUTPUT = join(WORKSPACE, 'examples/plugins/arrow-calls.txt');
const WORKED = join(WORKSPACE, 'examples/recipes/only-what-worked.ts');
const READ = 'text: I will read it first.\ncall read_file {"path": "a.py"}\ncall read_file {"path": "b.py", "lines": [1, 20]}';

/** Runs `formats` with a plugin of the given source. */
const withPlugin = (source: string, name = 'p.ts', ...argv: string[]) => inDirectory(async (directory) => {
  await writeFile(join(directory, name), source);
  return run('--plugin', join(directory, name), ...(argv.length === 0 ? ['formats'] : argv));
});

describe('the examples', () => {
  test('a format of one\'s own reads what its model writes', async () => {
    expect(await run('--plugin', ARROW, 'parse', '--tool-call-parser', 'arrow_calls', ARROW_OUTPUT)).toEqual({ code: 0, out: READ, err: '' });
  });

  test('a recipe of one\'s own leaves failed commands out, with its reason in the ledger', () =>
    inDirectory(async (directory) => {
      expect(await run('--plugin', WORKED, 'replay', SESSION, '--recipe', 'only-what-worked', '--out', directory)).toMatchObject({ code: 0, err: '' });
      const calls = await ledgerOf<CallLine>(directory, 'call');
      expect(calls.flatMap(({ call_id: id, excluded }) => excluded.map(({ reason }) => [id, reason]))).toEqual([['msg_02', 'failed-tool-call']]);
      expect(JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'))).toMatchObject({ plugins: [{ name: 'only-what-worked', specifier: WORKED, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }] });
    }));
});

describe('a plugin outside of the workspace is loaded', () => {
  const javascript = async (): Promise<string> => readFile(ARROW, 'utf8');

  test.each(['mine.ts', 'mine.js', 'mine.mjs'])('as %s, by a relative path', (name) =>
    inDirectory(async (directory) => {
      await writeFile(join(directory, name), await javascript());
      await cp(ARROW_OUTPUT, join(directory, 'output.txt'));
      expect(await spawned(['--plugin', `./${name}`, 'parse', '--tool-call-parser', 'arrow_calls', 'output.txt'], { cwd: directory })).toEqual({ code: 0, out: `${READ}\n`, err: '' });
    }));

  test('as a package of node_modules', () =>
    inDirectory(async (directory) => {
      const home = join(directory, 'node_modules/turnwright-arrow');
      await mkdir(home, { recursive: true });
      await writeFile(join(home, 'package.json'), '{"name": "turnwright-arrow", "type": "module", "exports": {".": {"import": "./index.js"}}}');
      await writeFile(join(home, 'index.js'), await javascript());
      expect(await spawned(['--plugin', 'turnwright-arrow', 'parse', '--tool-call-parser', 'arrow_calls', ARROW_OUTPUT], { cwd: directory })).toMatchObject({ code: 0, err: '' });
    }));

  test('with the runner\'s own errors, so that a recipe\'s refusal is no internal error', () =>
    inDirectory(async (directory) => {
      await cp(WORKED, join(directory, 'worked.ts'));
      const ran = await spawned(['--plugin', './worked.ts', 'replay', SESSION, '--recipe', 'only-what-worked', '--policy', 'glue', '--out', 'out'], { cwd: directory });
      expect(ran).toMatchObject({ code: 2, err: 'turnwright: Unknown merge policy "glue". Known: lossless, slime.\n' });
    }));
});

describe('a plugin is refused with one message that names it', () => {
  const plugin = (fields: string): string => `export default { apiVersion: 1, name: 'p', ${fields} }`;

  test.each<[string, string, RegExp]>([
    ['that throws while loading', "throw new Error('no licence')", /Plugin .*p\.ts: it failed while loading: no licence\./],
    ['that is no TypeScript', 'export default {', /Plugin .*p\.ts: it failed while loading/],
    ['that exports nothing', 'export const other = 1', /expected a default export, or an export named "plugin", made with definePlugin\(…\); found other/],
    ['that is no object', 'export default 7', /field "\(the plugin itself\)" is wrong: .*expected object, received number/],
    ['of another version', "export default { apiVersion: 2, name: 'p' }", /field "apiVersion" is wrong: .*expected 1/],
    ['without a name', 'export default { apiVersion: 1, recipes: [] }', /field "name" is wrong/],
    ['that brings nothing', plugin(''), /it brings nothing; expected at least one of formats, /],
    ['with wrong replaces', plugin("replaces: 'hermes'"), /field "replaces" is wrong/],
    ['with a format without a call', plugin("formats: [{ name: 'f', source: 's' }]"), /field "formats\.0\.call" is wrong/],
    ['with reasoning without an opener', plugin("reasoning: [{ name: 'r', close: { text: 'x' } }]"), /field "reasoning\.0\.open" is wrong/],
    ['with a reader that does not detect', plugin("readers: [{ name: 'r', read() {} }]"), /field "readers\.0\.detect" is wrong: expected the function detect/],
    ['with a reader that does not read', plugin("readers: [{ name: 'r', detect() {} }]"), /field "readers\.0\.read" is wrong/],
    ['with an exporter that does not open', plugin("exporters: [{ name: 'e' }]"), /field "exporters\.0\.open" is wrong/],
    ['with a recipe without options', plugin("recipes: [{ name: 'r', build() {} }]"), /field "recipes\.0\.options" is wrong: expected a zod schema/],
    ['with a recipe that does not build', plugin("recipes: [{ name: 'r', options: { safeParse() {} } }]"), /field "recipes\.0\.build" is wrong/],
    ['with a policy that does not merge', plugin("mergePolicies: [{ name: 'm' }]"), /field "mergePolicies\.0\.merge" is wrong/],
    ['with a tokenizer that does not load', plugin("tokenizers: [{ name: 't' }]"), /field "tokenizers\.0\.load" is wrong/],
    ['with a template that does not load', plugin("templates: [{ name: 't' }]"), /field "templates\.0\.load" is wrong/],
    ['whose format could not be read', "import { defineFormat, frame, name } from '@turnwright/parsing';\nexport default { formats: [defineFormat({ name: 'f', source: 's', call: frame`${name}` })] }", /Plugin .*p\.ts: Format "f": expected a body/],
    ['that takes a name', "import { definePlugin, defineRecipe } from '@turnwright/contracts';\nimport { z } from 'zod';\nexport default definePlugin({ apiVersion: 1, name: 'p', recipes: [defineRecipe({ name: 'coding-agent', description: '', options: z.object({}), build: () => ({ session: () => ({ samples: [], ledger: [], diagnostics: [] }) }) })] })", /recipe "coding-agent" is registered by turnwright recipes and by p\. To stand in for it, the plugin says replaces: \['coding-agent'\]/],
  ])('%s', async (_, source, message) => {
    const ran = await withPlugin(source);
    expect(ran.err).toMatch(message);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err.split('\n')).toHaveLength(1);
  });

  test('that is not there, as a file and as a package', async () => {
    expect(await run('--plugin', './nope.ts', 'formats')).toMatchObject({ code: 2, err: expect.stringMatching(/Plugin \.\/nope\.ts: expected a file at .*nope\.ts, found nothing/) as string });
    expect(await run('--plugin', 'no-such-plugin', 'formats')).toMatchObject({ code: 2, err: expect.stringMatching(/expected an installed package of this name or a path such as \.\/no-such-plugin\.ts/) as string });
  });
});

const recipe = (session: string, more = ''): string => `
import { definePlugin, defineRecipe } from '@turnwright/contracts';
import { runPipeline } from 'turnwright';
import { z } from 'zod';
export default definePlugin({ apiVersion: 1, name: 'p', ${more} recipes: [defineRecipe({ name: ${more === '' ? "'mine'" : "'coding-agent'"}, description: 'mine', options: z.object({}), build: (options, services) => ({ session: (session) => { ${session} } }) })] });`;

/** Replays the example with a recipe; nothing of it may look finished. */
const replayWith = (source: string, name = 'mine') => inDirectory(async (directory) => {
  await writeFile(join(directory, 'p.ts'), source);
  const ran = await run('--plugin', join(directory, 'p.ts'), 'replay', SESSION, '--recipe', name, '--out', join(directory, 'out'));
  return { ...ran, files: await readdir(join(directory, 'out')) };
});

describe('a recipe', () => {
  test('that says replaces stands in for a built-in', async () => {
    const source = recipe("return runPipeline(session, services, { policy: 'lossless' })", "replaces: ['coding-agent'],");
    expect(await withPlugin(source, 'p.ts', 'recipes', 'coding-agent')).toMatchObject({ code: 0, out: 'coding-agent (p): mine' });
    expect(await replayWith(source, 'coding-agent')).toMatchObject({ code: 0 });
  });

  test.each<[string, string, number, RegExp]>([
    ['that throws is named with the session', "throw new Error('out of ideas')", 2, /Recipe "mine" failed on session "5b0c2f0e-.*": out of ideas/],
    ['that loses a token of its ledger', "const made = runPipeline(session, services, { policy: 'lossless' }); return { ...made, ledger: made.ledger.map((entry, index) => index === 2 ? { ...entry, sampledTokens: entry.sampledTokens + 1 } : entry) }", 1, /Call "msg_03" of session .* sampled 141 tokens, but 140 are trained and 0 excluded/],
    ['that leaves a call out of its ledger', "const made = runPipeline(session, services, { policy: 'lossless' }); return { ...made, ledger: made.ledger.slice(1) }", 1, /the ledger has no line for call "msg_01"/],
    ['that trains what its ledger does not say', "const made = runPipeline(session, services, { policy: 'lossless' }); for (const row of made.samples) row.lossMask.fill(1); return made", 1, /the ledger says 362 trained tokens, the loss masks of the rows \d+/],
  ])('%s fails the run and leaves nothing', async (_, session, code, message) => {
    const ran = await replayWith(recipe(session));
    expect(ran.err).toMatch(message);
    expect(ran).toMatchObject({ code, out: '', files: [] });
  });

  test('that throws while it is built is named', async () => {
    const source = "import { definePlugin, defineRecipe } from '@turnwright/contracts';\nimport { z } from 'zod';\nexport default definePlugin({ apiVersion: 1, name: 'p', recipes: [defineRecipe({ name: 'mine', description: '', options: z.object({}), build: () => { throw new Error('no options'); } })] });";
    expect(await withPlugin(source, 'p.ts', 'replay', SESSION, '--recipe', 'mine', '--out', '/nowhere')).toMatchObject({ code: 2, err: 'turnwright: Recipe "mine" failed while being built: no options.' });
  });
});

test('a reader that fails costs only its file, which is named', () =>
  inDirectory(async (directory) => {
    await writeFile(join(directory, 'p.ts'), "export default { apiVersion: 1, name: 'p', readers: [{ name: 'odd', description: '', detect: (head, path) => path.endsWith('.odd') ? 1 : 0, async *read() { throw new Error('too odd') } }] }");
    await writeFile(join(directory, 'a.odd'), 'x');
    await writeFile(join(directory, 'b.jsonl'), claudeSession([{ text: 'B.', stop: 'end_turn' }]));
    const ran = await run('--plugin', join(directory, 'p.ts'), 'replay', join(directory, 'a.odd'), join(directory, 'b.jsonl'), '--out', join(directory, 'out'));
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(`refused ${join(directory, 'a.odd')}:1 (byte 0) reader-failed: too odd`);
    expect(await ledgerOf(join(directory, 'out'), 'call')).toHaveLength(1);
  }));
