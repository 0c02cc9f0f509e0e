'use strict';

// Run by `node --test`: generators are plain JavaScript that Nx loads without a build.
const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const parser = require('./parser/generator.js');
const recipe = require('./recipe/generator.js');

const WORKSPACE = join(__dirname, '../..');
const LISTS = ['libs/parsers-json/src/parsers-json.plugin.ts', 'libs/parsers-xml/src/parsers-xml.plugin.ts', 'apps/runner/src/recipes/recipes.plugin.ts'];

/** A tree of files in memory that begins with the workspace's lists; what the generators use of Nx's. */
function createTree() {
  const files = new Map(LISTS.map((path) => [path, readFileSync(join(WORKSPACE, path), 'utf8')]));
  return { files, exists: (path) => files.has(path), read: (path) => files.get(path) ?? null, write: (path, text) => { files.set(path, text); } };
}

for (const [body, project] of [['json', 'json'], ['tags', 'xml']]) {
  test(`a parser with a ${body} body touches three files, and lists itself`, async () => {
    const tree = createTree();
    await parser(tree, { name: 'my_format', body });
    assert.deepEqual([...tree.files.keys()].filter((path) => !LISTS.includes(path)), [`libs/parsers-${project}/src/my-format.ts`, `libs/parsers-${project}/src/my-format.cases.yaml`]);
    const list = tree.read(`libs/parsers-${project}/src/parsers-${project}.plugin.ts`);
    assert.match(list, /^import \{ myFormat \} from '\.\/my-format\.js';$/m);
    assert.match(list, /formats: \[[^\]]+,\s+myFormat,?\s*\]/);
  });
}

test('the cases of a parser are those that every format must show', async () => {
  const source = readFileSync(join(WORKSPACE, 'libs/testing/src/cases.ts'), 'utf8');
  const mandatory = [...(/MANDATORY_CASES = \[([^\]]*)\]/.exec(source)?.[1] ?? '').matchAll(/'([^']*)'/g)].map((match) => match[1]);
  for (const [body, path] of [['json', 'libs/parsers-json/src/a.cases.yaml'], ['tags', 'libs/parsers-xml/src/a.cases.yaml']]) {
    const tree = createTree();
    await parser(tree, { name: 'a', body });
    assert.deepEqual([...tree.read(path).matchAll(/^ {2}- name: (.*)$/gm)].map((match) => match[1]), mandatory);
  }
});

test('a recipe comes with its test, and lists itself', async () => {
  const tree = createTree();
  await recipe(tree, { name: 'my-recipe' });
  assert.ok(tree.exists('apps/runner/src/recipes/my-recipe.ts') && tree.exists('apps/runner/src/recipes/my-recipe.test.ts'));
  assert.match(tree.read('apps/runner/src/recipes/recipes.plugin.ts'), /recipes: \[.+, myRecipe\]/);
});

test('a name that is taken is refused', async () => {
  const tree = createTree();
  await recipe(tree, { name: 'my-recipe' });
  await assert.rejects(recipe(tree, { name: 'my-recipe' }), /Expected a new name, found apps\/runner\/src\/recipes\/my-recipe\.ts/);
});
